import { useQuery } from '@tanstack/react-query';
import { siteOfPage } from '../../api/first-page';
import { appConfigQuery } from '../../api/queries';
import type { AppConfig } from '../../api/types';

/** Who runs the site, as the pages name them. */
export interface Operator {
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
