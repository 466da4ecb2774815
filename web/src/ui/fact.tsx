import type { ReactNode } from 'react';

interface FactProps {
  label: string;
  /** How the value looks. */
  className?: string;
  children: ReactNode;
}

/** A term and its value below it, in a list of them. */
export function Fact({ label, className, children }: FactProps) {
  return (
    <div>
      <dt className="text-[0.8125rem] text-muted">{label}</dt>
      <dd className={className}>{children}</dd>
    </div>
  );
}

/** A term and its value in one line. */
export function FactLine({ label, children }: Omit<FactProps, 'className'>) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="shrink-0 text-muted">{label}</dt>
      <dd className="num min-w-0 text-right font-medium [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
