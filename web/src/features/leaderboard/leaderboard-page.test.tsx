import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { NEVER_PASTE } from '../../lib/secret';
import { stubNetwork } from '../../testing/network';
import { profile } from '../../testing/profiles';
import { open } from '../../testing/render';
import LeaderboardPage from './leaderboard-page';

// jsdom has no layout.
beforeEach(() => void vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener: () => {}, removeEventListener: () => {} })));

class NoStream {
  addEventListener() {}
  close() {}
}

test.each([
  [{ status: 500, body: { message: 'The list is on fire.' } }, 'The list is on fire.'],
  [{ status: 502 }, 'Failed to fetch users'],
])('a list that fails with %j says why, or that it has failed', async (answer, sentence) => {
  vi.stubGlobal('EventSource', NoStream);
  stubNetwork(() => answer);
  open(<LeaderboardPage />, { path: '/leaderboard' });
  expect(await screen.findByRole('heading', { name: 'Error' }, { timeout: 10_000 })).toBeInTheDocument();
  expect(screen.getByText(sentence)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Try Again' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Verify your bitcoin' })).toHaveAttribute('href', '/upload');
}, 20_000);

test.each([
  ['legal winner thank year wave sausage worth useful legal winner thank yellow', NEVER_PASTE],
  ['KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn', NEVER_PASTE],
  ['legal winner thank', 'Names have no spaces.'],
])('a search for "%s" sends nothing, on Enter neither', async (text, sentence) => {
  vi.stubGlobal('EventSource', NoStream);
  const asked: string[] = [];
  stubNetwork((request) => {
    asked.push(decodeURIComponent(request.url.search));
    return request.url.pathname.endsWith('/profiles') ? { body: [], headers: { 'content-range': '*/0' } } : { status: 503 };
  });
  open(<LeaderboardPage />, { path: '/leaderboard' });
  const box = await screen.findByRole('searchbox', { name: 'Search by username' });
  await userEvent.click(box);
  await userEvent.paste(text);
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  // A secret leaves the field, and with another element its history.
  const after = screen.getByRole('searchbox', { name: 'Search by username' });
  expect(after === box).toBe(sentence !== NEVER_PASTE);
  if (sentence === NEVER_PASTE) expect(after).toHaveValue('');
  expect(after).toHaveFocus();
  await userEvent.clear(after);
  await userEvent.type(after, 'whale{Enter}');
  await vi.waitFor(() => expect(asked.some((url) => url.includes('whale'))).toBe(true));
  expect(asked.join(' ')).not.toMatch(/legal|winner|KwDi/);
});

test('those who never verified are one line at the end, which shows their rows', async () => {
  vi.stubGlobal('EventSource', NoStream);
  const rows = [profile({ id: 'a' }), profile({ id: 'b', username: 'hal', rank: null, verified: false, bitcoin_holdings: null }), profile({ id: 'c', username: 'nick', rank: null, verified: false, bitcoin_holdings: null })];
  stubNetwork(({ url }) => {
    if (url.pathname.endsWith('/profiles')) return { body: rows, headers: { 'content-range': '0-2/3' } };
    return url.pathname.endsWith('/board-summary') ? { body: { people: 3, holders: 1, bitcoin: 1.5, tiers: [], block: null } } : { status: 503 };
  });
  open(<LeaderboardPage />, { path: '/leaderboard' });
  const more = await screen.findByRole('button', { name: '2 more have not verified' });
  expect(screen.getByText('Showing 1 of 3 users')).toBeInTheDocument();
  await userEvent.click(more);
  expect(screen.getByText('Showing 3 of 3 users')).toBeInTheDocument();
  expect(screen.queryByText(/not verified$/)).toBeNull();
});

test('"See a proof" opens one, and is not there without one', async () => {
  vi.stubGlobal('EventSource', NoStream);
  let published: number | null = null;
  stubNetwork(({ url }) => {
    if (url.pathname.endsWith('/profiles')) return { body: [profile({ published_sats: published })], headers: { 'content-range': '0-0/1' } };
    if (url.pathname.endsWith('/proofs')) return { body: { proofs: [{ id: 'an-id' }], next: null } };
    return url.pathname.endsWith('/board-summary') ? { body: { people: 1, holders: 1, bitcoin: 1.5, tiers: [], block: null } } : { status: 503 };
  });
  const { queries } = open(<LeaderboardPage />, { path: '/leaderboard' });
  await screen.findByText('Showing 1 of 1 users');
  expect(screen.queryByText('See a proof')).toBeNull();
  published = 1;
  await queries.invalidateQueries();
  expect(await screen.findByRole('link', { name: 'See a proof' })).toHaveAttribute('href', '/verify/an-id');
});
