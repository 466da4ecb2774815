import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { X } from 'lucide-react';
import { cx } from '../lib/cx';
import { Button } from './button';

interface DialogProps {
  title: ReactNode;
  /** `alertdialog` for a question that must be answered; it has no button that closes it. */
  role?: 'dialog' | 'alertdialog';
  /** The id of the text that describes it. */
  describedBy?: string;
  className?: string;
  onClose: () => void;
  children: ReactNode;
}

/** A modal dialog, open while it is mounted. It is the platform's own, which traps the focus, gives it back, and closes with Escape. */
export function Dialog({ title, role = 'dialog', describedBy, className = 'w-[min(30rem,calc(100vw-2rem))]', onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const { current } = dialog;
    current?.showModal();
    return () => current?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={titleId}
      aria-describedby={describedBy}
      // React's strict mode may have opened it again before this event.
      onClose={({ currentTarget }) => !currentTarget.open && onClose()}
      className={cx(
        'enter m-auto max-h-[calc(100dvh-2rem)] overflow-y-auto rounded-card border border-line bg-surface p-5 text-left text-base font-normal whitespace-normal text-ink shadow-card backdrop:bg-[rgb(0_0_0/0.55)] sm:p-6',
        className,
      )}
    >
      <div className="flex items-start justify-between gap-4">
        <h2 id={titleId} className="min-w-0 text-lg font-semibold [overflow-wrap:anywhere]">
          {title}
        </h2>
        {role === 'dialog' && (
          <Button look="ghost" size="icon" className="-mt-2 -mr-2" aria-label="Close" onClick={onClose}>
            <X className="size-5" aria-hidden="true" />
          </Button>
        )}
      </div>
      {children}
    </dialog>
  );
}
