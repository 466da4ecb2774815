import type { ReactNode } from 'react';
import { AlertDialog } from '@base-ui/react/alert-dialog';
import { Dialog as Parts } from '@base-ui/react/dialog';
import { X } from 'lucide-react';
import { cx } from '../lib/cx';
import { buttonClass } from './button';

interface DialogProps {
  title: ReactNode;
  /** `alertdialog` for a question that must be answered; it has no button that closes it. */
  role?: 'dialog' | 'alertdialog';
  className?: string;
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog, open while it is mounted. It holds the focus and gives it back; Escape closes it. Load it when it is first opened. */
export function Dialog({ title, role = 'dialog', className = 'w-[min(30rem,calc(100vw-2rem))]', onClose, children }: DialogProps) {
  const onOpenChange = (open: boolean) => !open && onClose();
  const parts = (
    <Parts.Portal>
      <Parts.Backdrop forceRender className="fixed inset-0 z-50 bg-[rgb(0_0_0/0.55)]" />
      <Parts.Popup
        className={cx(
          'enter fixed inset-0 z-50 m-auto h-fit max-h-[calc(100dvh-2rem)] overflow-y-auto rounded-card border border-line bg-surface p-5 text-ink shadow-card sm:p-6',
          className,
        )}
      >
        <div className="flex items-start justify-between gap-4">
          <Parts.Title className="min-w-0 text-lg font-semibold [overflow-wrap:anywhere]">{title}</Parts.Title>
          {role === 'dialog' && (
            <Parts.Close aria-label="Close" className={buttonClass('ghost', 'icon', '-mt-2 -mr-2')}>
              <X className="size-5" aria-hidden="true" />
            </Parts.Close>
          )}
        </div>
        {children}
      </Parts.Popup>
    </Parts.Portal>
  );
  if (role === 'alertdialog') {
    return (
      <AlertDialog.Root open onOpenChange={onOpenChange}>
        {parts}
      </AlertDialog.Root>
    );
  }
  return (
    <Parts.Root open onOpenChange={onOpenChange} disablePointerDismissal>
      {parts}
    </Parts.Root>
  );
}
