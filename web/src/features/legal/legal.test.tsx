import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { open } from '../../testing/render';
import PrivacyPage from './privacy-page';
import TermsPage from './terms-page';

test('the privacy policy has its date, the retention periods and the ages', () => {
  open(<PrivacyPage />);
  expect(screen.getByRole('heading', { level: 1, name: 'Privacy Policy' })).toBeInTheDocument();
  const text = document.body.textContent;
  for (const said of ['Last updated: May 07, 2025', 'within 30 days', '7 years', '12 months', 'at least 16 years', 'at least 13', '[Company name]']) {
    expect(text).toContain(said);
  }
});

test('the terms have the same date and ages, and lead to the policy', () => {
  open(<TermsPage />);
  expect(screen.getByRole('heading', { level: 1, name: 'Terms of Service' })).toBeInTheDocument();
  for (const said of ['Last updated: May 07, 2025', 'at least 16 years', 'at least 13', '$5 per month']) {
    expect(document.body.textContent).toContain(said);
  }
  expect(screen.getByRole('link', { name: 'privacy policy' })).toHaveAttribute('href', '/privacy-policy');
});
