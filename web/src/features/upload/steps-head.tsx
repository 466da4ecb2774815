import type { ReactNode } from 'react';

/** What the actions below are for. */
export function StepsHead({ children }: { children: ReactNode }) {
  return <h3 className="sr-only">{children}</h3>;
}
