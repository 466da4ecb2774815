import { useQuery } from '@tanstack/react-query';
import { appConfigQuery } from '../../api/queries';
import { dayInWords } from '../../lib/format';

/** Who runs the site, as the pages name them. */
export interface Operator {
  company: string;
  address: string;
  country: string;
  privacyEmail: string;
  contactEmail: string;
  updated: string;
}

/** What the specification has in their places, and what a site in development mode shows. */
const PLACEHOLDERS: Operator = {
  company: '[Company name]',
  address: '[Postal address]',
  country: '[country]',
  privacyEmail: '[privacy email address]',
  contactEmail: '[contact email address]',
  updated: 'May 07, 2025',
};

/** Empty places while the server's settings are on their way. */
const NOT_YET: Operator = { company: '…', address: '…', country: '…', privacyEmail: '…', contactEmail: '…', updated: '…' };

export function useOperator(): Operator {
  const config = useQuery(appConfigQuery());
  if (config.isPending) return NOT_YET;
  const legal = config.data?.legal;
  return {
    company: legal?.company ?? PLACEHOLDERS.company,
    address: legal?.postal_address ?? PLACEHOLDERS.address,
    country: legal?.country ?? PLACEHOLDERS.country,
    privacyEmail: legal?.privacy_email ?? PLACEHOLDERS.privacyEmail,
    contactEmail: legal?.contact_email ?? PLACEHOLDERS.contactEmail,
    updated: legal?.updated ? dayInWords(legal.updated) : PLACEHOLDERS.updated,
  };
}
