import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Button } from './button';
import { Dialog } from './dialog';

interface ConfirmDialogProps {
  title: string;
  text: string;
  confirmLabel: string;
  onConfirm: () => void;
  onCancel: () => void;
}

/** A question before something that cannot be undone. */
export default function ConfirmDialog({ title, text, confirmLabel, onConfirm, onCancel }: ConfirmDialogProps) {
  return (
    <Dialog role="alertdialog" title={title} className="w-[min(28rem,calc(100vw-2rem))]" onClose={onCancel}>
      <AlertDialog.Description className="mt-2 text-sm text-muted">{text}</AlertDialog.Description>
      <div className="mt-6 flex justify-end gap-3">
        <Button look="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button look="danger" onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </div>
    </Dialog>
  );
}
