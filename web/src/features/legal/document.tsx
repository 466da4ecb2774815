import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Page } from '../../ui/page';
import { siteOfPage } from '../../api/first-page';
import { appConfigQuery } from '../../api/queries';
import type { AppConfig } from '../../api/types';

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

/** Who runs the site, as the pages name them. */
interface Operator {
  company: string;
  address: string;
  country: string;
  privacyEmail: string;
  contactEmail: string;
  updated: string;
}

/** Empty places while the server's settings are on their way. */
const NOT_YET: Operator = { company: '…', address: '…', country: '…', privacyEmail: '…', contactEmail: '…', updated: '…' };

export function useOperator(): Operator {
  const config = useQuery(appConfigQuery());
  const legal = config.data?.legal ?? siteOfPage()?.legal;
  return legal ? operatorOf(legal) : NOT_YET;
}

const operatorOf = ({ company, postal_address, country, privacy_email, contact_email, updated }: AppConfig['legal']): Operator => ({
  company,
  address: postal_address,
  country,
  privacyEmail: privacy_email,
  contactEmail: contact_email,
  updated,
});
