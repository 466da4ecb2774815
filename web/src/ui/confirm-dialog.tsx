import { useId } from 'react';
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
export function ConfirmDialog({ title, text, confirmLabel, onConfirm, onCancel }: ConfirmDialogProps) {
  const textId = useId();
  return (
    <Dialog role="alertdialog" title={title} describedBy={textId} className="w-[min(28rem,calc(100vw-2rem))]" onClose={onCancel}>
      <p id={textId} className="mt-2 text-sm text-muted">
        {text}
      </p>
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
