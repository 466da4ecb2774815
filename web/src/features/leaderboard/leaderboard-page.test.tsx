import { screen } from '@testing-library/react';
import { expect, test, vi } from 'vitest';
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
