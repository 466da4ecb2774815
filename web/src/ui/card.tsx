import type { ReactNode } from 'react';
import { cx } from '../lib/cx';

/** A raised surface; a section when it has a title. */
export function Card({ title, action, className, children }: CardProps) {
  const look = cx('rounded-card border border-line bg-surface p-5 shadow-card sm:p-6', className);
  if (!title) return <div className={look}>{children}</div>;
  return (
    <section className={look}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <h2 className="text-lg font-semibold">{title}</h2>
        {action}
      </div>
      {children}
    </section>
  );
}

interface CardProps {
  title?: ReactNode;
  action?: ReactNode;
  className?: string;
  children: ReactNode;
}
