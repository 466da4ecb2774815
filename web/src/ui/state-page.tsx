import type { ReactNode } from 'react';
import { Page } from './page';

/** A screen that is only a message and a way on: not found, error, done. */
export function StatePage({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <Page title={title} width="narrow" centred>
      <div className="space-y-6 text-center text-muted">
        {children}
        {action && <div className="flex justify-center gap-3">{action}</div>}
      </div>
    </Page>
  );
}
