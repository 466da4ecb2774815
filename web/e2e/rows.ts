import type { Page, Route } from 'playwright-core';

/** Removes the server's first rows from the leaderboard's page, and says that this many holders are on the board: these tests show another one. */
export async function withoutFirstRows(page: Page, holders: number): Promise<void> {
  const json = { people: holders, holders, bitcoin: 0, tiers: [], block: null };
  await page.route('**/api/functions/v1/board-summary', (route) => route.fulfill({ json }));
  await page.route(/\/leaderboard(\?|$)/, async (route) => {
    const answer = await route.fetch();
    const html = await answer.text();
    const body = html.replace(/<script [^>]*id="first-page"[^>]*>.*?<\/script>/s, '');
    await route.fulfill({ response: answer, body });
  });
}

export interface Row {
  id: string;
  username: string;
  avatar_url: string | null;
  verified: boolean;
  bitcoin_holdings: number | null;
  shown_as: 'exact' | 'range';
  rank: number | null;
  last_verified: string | null;
  provider: string;
  named: boolean;
  published_sats: number | null;
}

/** Opens the profile of another user, for which the test answers this. */
export const profileAnswer = (answer: (route: Route) => unknown) => async (page: Page) => {
  await page.route('**/api/rest/v1/profiles?*id=eq.1111*', answer);
  await page.goto('/profile/11111111-0000-4000-8000-000000000000');
};

/** A stranger who has proven something, of this name. */
export const named = (username: string, provider: string) => async (page: Page) => {
  const rank = 1_234_567;
  const json = {
    id: '11111111-0000-4000-8000-000000000000',
    username,
    provider,
    named: true,
    avatar_url: null,
    updated_at: '2026-11-01T00:00:00Z',
    tier: null,
    verified: true,
    bitcoin_holdings: 20_999_999.9769,
    last_verified: new Date().toISOString(),
    rank,
    last_auto_reverify: null,
    published_sats: null,
  };
  await page.route('**/getUserRank/1111*', (route) => route.fulfill({ json: { rank } }));
  await profileAnswer((route) => route.fulfill({ json }))(page);
};
