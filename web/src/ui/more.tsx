import type { ReactNode } from 'react';
import { cx } from '../lib/cx';

interface MoreProps {
  title: ReactNode;
  /** At the end of the title's line. */
  aside?: ReactNode;
  open?: boolean;
  /** Whether it has a box of its own. */
  boxed?: boolean;
  onToggle?: (open: boolean) => void;
  children: ReactNode;
}

/** Something folded. */
export function More({ title, aside, open, boxed, onToggle, children }: MoreProps) {
  return (
    <details
      className={cx('group text-sm', boxed && 'rounded-card border border-line bg-surface px-5')}
      open={open}
      onToggle={({ currentTarget }) => onToggle?.(currentTarget.open)}
    >
      <summary className="flex items-center gap-2 py-3.5 font-medium text-ink [&::-webkit-details-marker]:hidden">
        <span aria-hidden="true" className="text-muted transition-transform group-open:rotate-90">
          ›
        </span>
        <span className="min-w-0 flex-1">{title}</span>
        {aside && <span className="num text-[0.8125rem] font-normal text-muted">{aside}</span>}
      </summary>
      <div className="space-y-2 pb-4 text-muted">{children}</div>
    </details>
  );
}
