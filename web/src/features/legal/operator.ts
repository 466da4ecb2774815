import { useQuery } from '@tanstack/react-query';
import { proseData } from '../../api/first-page';
import { appConfigQuery } from '../../api/queries';
import type { AppConfig } from '../../api/types';
import { useWords } from '../../ui/places';

/** Who runs the site, as the pages name them. The names of the words are those of their places. */
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
  const legal = config.data?.legal ?? proseData()?.legal;
  return useWords(() => (legal ? operatorOf(legal) : NOT_YET));
}

const operatorOf = ({ company, postal_address, country, privacy_email, contact_email, updated }: AppConfig['legal']): Operator => ({
  company,
  address: postal_address,
  country,
  privacyEmail: privacy_email,
  contactEmail: contact_email,
  updated,
});
