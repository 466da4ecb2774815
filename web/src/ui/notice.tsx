import type { ReactNode } from 'react';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { cx } from '../lib/cx';

type NoticeTone = 'info' | 'positive' | 'warning' | 'danger';

const LOOKS = {
  info: { box: 'border-line bg-raised', icon: Info, ink: 'text-muted' },
  positive: { box: 'border-positive/30 bg-positive-soft', icon: CircleCheck, ink: 'text-positive' },
  warning: { box: 'border-warning/30 bg-warning-soft', icon: TriangleAlert, ink: 'text-warning' },
  danger: { box: 'border-danger/30 bg-danger-soft', icon: CircleAlert, ink: 'text-danger' },
} as const;

interface NoticeProps {
  tone?: NoticeTone;
  title?: ReactNode;
  /** Its only paragraph. */
  text?: ReactNode;
  children?: ReactNode;
  /** `alert` interrupts a screen reader, `status` waits; without one it is plain content. */
  role?: 'alert' | 'status';
  className?: string;
}

/** A message box. */
export function Notice({ tone = 'info', title, text, children, role, className }: NoticeProps) {
  const { box, icon: Icon, ink } = LOOKS[tone];
  return (
    <div role={role} className={cx('enter flex gap-3 rounded-xl border p-4 text-sm', box, className)}>
      <Icon aria-hidden="true" className={cx('mt-0.5 size-5 shrink-0', ink)} />
      <div className="min-w-0 flex-1 space-y-1 [overflow-wrap:anywhere]">
        {title && <p className={cx('font-semibold', tone === 'info' ? 'text-ink' : ink)}>{title}</p>}
        {text && <p>{text}</p>}
        {children}
      </div>
    </div>
  );
}
