import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { stubNetwork } from '../../testing/network';
import { open } from '../../testing/render';
import PrivacyPage from './privacy-policy-page';
import TermsPage from './terms-of-service-page';

/** What the server says while nothing is set. */
const NOBODY = {
  company: '[Company name]',
  postal_address: '[Postal address]',
  country: '[country]',
  privacy_email: '[privacy email address]',
  contact_email: '[contact email address]',
  updated: 'May 07, 2025',
};
const OPERATOR = {
  company: 'An Example Company',
  postal_address: '1 Example Street, Example Town',
  country: 'Exampleland',
  privacy_email: 'privacy@reserves.example',
  contact_email: 'hello@reserves.example',
  updated: 'November 22, 2026',
};

/** Renders a page of a site with this operator. */
async function read(page: React.ReactNode, legal: typeof NOBODY): Promise<string> {
  stubNetwork(() => ({ body: { network: 'regtest', legal } }));
  open(page);
  await screen.findByText(new RegExp(`Last updated: ${legal.updated}`));
  return document.body.textContent;
}

test('the privacy policy has its date, the retention periods and the ages', async () => {
  const text = await read(<PrivacyPage />, NOBODY);
  expect(screen.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeInTheDocument();
  for (const said of ['within 30 days', '7 years', '12 months', 'at least 16 years', 'at least 13', '[Company name]', '[privacy email address]']) {
    expect(text).toContain(said);
  }
});

test('the terms have the same date and ages, and lead to the policy', async () => {
  const text = await read(<TermsPage />, NOBODY);
  expect(screen.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeInTheDocument();
  for (const said of ['at least 16 years', 'at least 13', '$5 per month', '[country]', '[contact email address]']) {
    expect(text).toContain(said);
  }
  expect(screen.getByRole('link', { name: 'privacy policy' })).toHaveAttribute('href', '/privacy-policy');
});

test('the pages name who runs the site', async () => {
  const policy = await read(<PrivacyPage />, OPERATOR);
  expect(policy).toContain('An Example Company, 1 Example Street, Example Town, privacy@reserves.example');
  document.body.replaceChildren();
  const terms = await read(<TermsPage />, OPERATOR);
  expect(terms).toContain('An Example Company, 1 Example Street, Example Town, hello@reserves.example');
  expect(terms).toContain('The law of Exampleland applies');
  expect(policy + terms).not.toContain('[');
});
