import type { ReactNode } from 'react';
import { Page } from '../../ui/page';

/** A legal page: title, date, sections of prose. */
export function LegalDocument({ title, updated, children }: { title: string; updated: string; children: ReactNode }) {
  return (
    <Page title={title} width="medium" intro={`Last updated: ${updated}`}>
      <div className="space-y-8">{children}</div>
    </Page>
  );
}

export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="space-y-3 text-muted [&_li]:mt-1 [&_strong]:text-ink [&_ul]:list-disc [&_ul]:pl-5">
      <h2 className="text-xl font-semibold text-ink">{title}</h2>
      {children}
    </section>
  );
}
