/** Renders the prose pages for readers without scripts. Runs in Node during the build (build/prose.ts). */
import type { ComponentType } from 'react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { Router } from 'wouter';
import { appConfigQuery } from './api/queries';
import type { AppConfig } from './api/types';
import { ForAuditors } from './features/guide/for-auditors';
import HowItWorksPage from './features/guide/how-it-works-page';
import PrivacyPage from './features/legal/privacy-policy-page';
import TermsPage from './features/legal/terms-of-service-page';

/** By their paths. */
const PAGES: Record<string, ComponentType> = {
  'how-it-works': HowItWorksPage,
  'how-it-works/auditors': ForAuditors,
  'privacy-policy': PrivacyPage,
  'terms-of-service': TermsPage,
};

/** Placeholders that the server fills in (`server/api/src/http/pages/content.rs`). */
const LEGAL: AppConfig['legal'] = {
  company: '{{company}}',
  postal_address: '{{postal_address}}',
  country: '{{country}}',
  privacy_email: '{{privacy_email}}',
  contact_email: '{{contact_email}}',
  updated: '{{updated}}',
};

/** All prose pages with their placeholders. */
export function drawProse(): string {
  const queries = new QueryClient();
  queries.setQueryData(appConfigQuery().queryKey, { legal: LEGAL } as AppConfig);
  const pages = Object.entries(PAGES).map(([path, Page]) => {
    const html = renderToStaticMarkup(
      <QueryClientProvider client={queries}>
        <Router ssrPath={`/${path}`}>
          <Page />
        </Router>
      </QueryClientProvider>,
    );
    return `<!--page ${path}-->${html}`;
  });
  return pages.join('');
}
