import type { ReactNode } from 'react';
import { Page } from '../../ui/page';

interface ResultPageProps {
  /** Who and how much; without it the page’s own title. */
  heading?: ReactNode;
  intro?: ReactNode;
  /** What is folded below the result. */
  folded?: ReactNode;
  /** What ends every result. */
  foot: ReactNode;
  children: ReactNode;
}

/** The result for one file or link. */
export function ResultPage({ heading, intro, folded, foot, children }: ResultPageProps) {
  return (
    <Page title="Check a proof" heading={heading} intro={intro} width="medium">
      <div className="space-y-4">{children}</div>
      <div className="mt-4 space-y-3">
        {folded}
        {foot}
      </div>
    </Page>
  );
}
