import type { ReactNode } from 'react';

/** Something folded. */
export function More({ title, aside, open, children }: { title: ReactNode; aside?: ReactNode; open?: boolean; children: ReactNode }) {
  return (
    <details className="group text-sm" open={open}>
      <summary className="flex items-center gap-2 py-3.5 font-medium [&::-webkit-details-marker]:hidden">
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
