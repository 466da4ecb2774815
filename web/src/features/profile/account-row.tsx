import type { ReactNode } from 'react';

/** One thing to do with the account: a sentence, and its button. */
export function AccountRow({ text, children }: { text: string; children: ReactNode }) {
  return (
    <div className="mb-6 flex flex-wrap items-center justify-between gap-4 last:mb-0">
      <p className="min-w-0 flex-1 basis-48 text-sm text-muted">{text}</p>
      {children}
    </div>
  );
}
