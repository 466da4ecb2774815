import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { stubNetwork } from '../../testing/network';
import { open } from '../../testing/render';
import { signedIn, USER } from '../../testing/session';
import { keepWanted } from '../session/wanted';
import ChoosePlanPage from './choose-plan-page';

const card = (name: string) => within(screen.getByRole('heading', { name }).closest('section')!);

test('the plans are two cards with their prices, features and buttons', () => {
  open(<ChoosePlanPage />, { session: signedIn() });
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Choose Your Plan');
  expect(card('Basic').getByText('Free')).toBeInTheDocument();
  expect(card('Basic').getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Auto-verification',
    'Leaderboard access',
    'Basic profile',
  ]);
  expect(card('Premium').getByText('/mo').parentElement).toHaveTextContent('$5/mo');
  expect(card('Premium').getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Exclusive features',
    'Advanced tools',
    'More coming soon',
  ]);
  expect(card('Premium').getByRole('button', { name: 'Coming Soon' })).toBeDisabled();
});

test('Basic leads to the address that was wanted', async () => {
  stubNetwork(() => ({ status: 204 }));
  keepWanted('/upload');
  const { path } = open(<ChoosePlanPage />, { path: '/choose-plan', session: signedIn(null) });
  await userEvent.click(screen.getByRole('button', { name: 'Continue with Basic' }));
  await waitFor(() => expect(path()).toBe('/upload'));
});

test('Basic stores the free tier and leads to the start page', async () => {
  const calls = stubNetwork(() => ({ status: 204 }));
  const setTier = vi.fn<(tier: string) => void>();
  const { path } = open(<ChoosePlanPage />, { path: '/choose-plan', session: { ...signedIn(null), setTier } });
  await userEvent.click(screen.getByRole('button', { name: 'Continue with Basic' }));
  await waitFor(() => expect(path()).toBe('/'));
  expect(calls).toMatchObject([{ method: 'PATCH', body: { tier: 'free' } }]);
  expect(calls[0]?.url.searchParams.get('id')).toBe(`eq.${USER.id}`);
  expect(setTier).toHaveBeenCalledWith('free');
});

test('who is not signed in is told so', async () => {
  open(<ChoosePlanPage />);
  await userEvent.click(screen.getByRole('button', { name: 'Continue with Basic' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('You must be logged in to select a plan.');
});

test('a failure shows its sentence, or the default', async () => {
  stubNetwork(() => ({ status: 500, body: { message: 'The plan could not be stored.' } }));
  open(<ChoosePlanPage />, { session: signedIn(null) });
  await userEvent.click(screen.getByRole('button', { name: 'Continue with Basic' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('The plan could not be stored.');
});
