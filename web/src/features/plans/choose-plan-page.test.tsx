import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { stubNetwork, type Call } from '../../testing/network';
import { open } from '../../testing/render';
import { signedIn, USER } from '../../testing/session';
import { keepWanted } from '../session/wanted';
import ChoosePlanPage from './choose-plan-page';

const card = (name: string) => within(screen.getByRole('heading', { name }).closest('section')!);

/** A server that does or does not sell the premium plan, with this response to other requests. */
const serve = (premium: boolean, other: (call: Call) => object = () => ({ status: 204 })) =>
  stubNetwork((call) => (call.url.pathname.endsWith('/app-config') ? { body: { network: 'regtest', premium } } : other(call)));

beforeEach(() => void serve(false));

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
  keepWanted('/upload');
  const { path } = open(<ChoosePlanPage />, { path: '/choose-plan', session: signedIn(null) });
  await userEvent.click(screen.getByRole('button', { name: 'Continue with Basic' }));
  await waitFor(() => expect(path()).toBe('/upload'));
});

test('Basic stores the free tier and leads to the start page', async () => {
  const calls = serve(false);
  const setTier = vi.fn<(tier: string) => void>();
  const { path } = open(<ChoosePlanPage />, { path: '/choose-plan', session: { ...signedIn(null), setTier } });
  await userEvent.click(screen.getByRole('button', { name: 'Continue with Basic' }));
  await waitFor(() => expect(path()).toBe('/'));
  const [change, ...more] = calls.filter(({ method }) => method === 'PATCH');
  expect(change).toMatchObject({ body: { tier: 'free' } });
  expect(more).toEqual([]);
  expect(change?.url.searchParams.get('id')).toBe(`eq.${USER.id}`);
  expect(setTier).toHaveBeenCalledWith('free');
});

test('it asks nothing else', () => {
  open(<ChoosePlanPage />, { session: signedIn(null) });
  expect(screen.queryByRole('radio')).toBeNull();
});

test('a visitor reads that they are not signed in', async () => {
  open(<ChoosePlanPage />);
  await userEvent.click(screen.getByRole('button', { name: 'Continue with Basic' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('You must be logged in to select a plan.');
});

test.each([
  [500, { message: 'The plan could not be stored.' }, 'The plan could not be stored.'],
  [500, undefined, 'An error occurred.'],
  [401, { message: 'This endpoint requires a valid Bearer token' }, 'You must be logged in to select a plan.'],
])('a failure %i with %j says %s', async (status, body, sentence) => {
  serve(false, () => ({ status, body }));
  open(<ChoosePlanPage />, { session: signedIn(null) });
  await userEvent.click(screen.getByRole('button', { name: 'Continue with Basic' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
});

test.each([
  [{ status: 200, body: { url: '#paying' } }, null],
  [{ status: 409, body: { message: 'You already have the premium plan.' } }, 'You already have the premium plan.'],
  [{ status: 502 }, 'Stripe session error'],
])('premium is for sale where the server sells it: %j', async (answer, failure) => {
  const calls = serve(true, () => answer);
  open(<ChoosePlanPage />, { session: signedIn() });
  await userEvent.click(await card('Premium').findByRole('button', { name: 'Get Premium' }));
  if (failure === null) await waitFor(() => expect(location.hash).toBe('#paying'));
  else expect(await screen.findByRole('alert')).toHaveTextContent(failure);
  expect(calls.find(({ method }) => method === 'POST')).toMatchObject({ body: { user_id: USER.id, email: null } });
});

test('who has premium has nothing to choose', () => {
  serve(true);
  open(<ChoosePlanPage />, { session: signedIn('premium') });
  expect(screen.queryByRole('button')).toBeNull();
});
