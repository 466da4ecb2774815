import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { NEVER_PASTE } from '../../lib/secret';
import { stubNetwork } from '../../testing/network';
import { open } from '../../testing/render';
import LeaderboardPage from './leaderboard-page';

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
  expect(screen.getByRole('link', { name: 'Prove your bitcoin' })).toHaveAttribute('href', '/upload');
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
  await userEvent.clear(box);
  await userEvent.type(box, 'whale{Enter}');
  await vi.waitFor(() => expect(asked.some((url) => url.includes('whale'))).toBe(true));
  expect(asked.join(' ')).not.toMatch(/legal|winner|KwDi/);
});
