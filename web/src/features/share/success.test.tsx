import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { ProofAccepted, Tier } from '../../api/types';
import { stubNetwork } from '../../testing/network';
import { profile, provenOf } from '../../testing/profiles';
import { open } from '../../testing/render';
import { signedIn } from '../../testing/session';
import { Success } from './success';

const BOARD = { people: 800, holders: 792, bitcoin: 1167, tiers: [], block: { height: 977_462, since: null as string | null } };

function show(answer: Partial<ProofAccepted> = {}, tier: Tier | null = 'free', more: Parameters<typeof Success>[0]['more'] = null, board = () => BOARD) {
  vi.stubGlobal('scrollTo', () => {});
  stubNetwork(({ url }) => ({ body: url.pathname.endsWith('/board-summary') ? board() : profile({ rank: 21, bitcoin_holdings: 14.75 }) }));
  return open(<Success proven={provenOf(answer)} tier={tier} userId="me" profileStale more={more} />, { session: signedIn() });
}

test.each([
  ['success', 'Verification Successful!', 'proofs expire after 90 days'],
  ['reverified', 'Proof Refreshed', 'valid for another 90 days'],
  ['already-verified', 'Already Verified', 'no changes needed'],
] as const)('%s', (status, heading, note) => {
  show({ status });
  const box = screen.getByRole('status');
  expect(box).toHaveTextContent('PSBT successfully verified!');
  expect(box).toHaveTextContent(heading);
  expect(box).toHaveTextContent('2.25000000 BTC in 2 coins');
  expect(box).toHaveTextContent('Your verified total is now 14.75000000 BTC.');
  expect(box).toHaveTextContent(note);
  expect(box).toHaveTextContent('Failed to update profile. Please try again.');
});

test('the rank comes first, with the share of holders that it is in, and a card to show', async () => {
  show();
  expect(await screen.findByText('#21', { selector: 'span' })).toBeInTheDocument();
  expect(await screen.findByText('of 792 holders · top 3%')).toBeInTheDocument();
  expect(await screen.findByRole('img', { name: '@satoshi: rank #21, 14.75 BTC' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Share' })).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Receipt' })).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Verify more coins' })).toHaveAttribute('href', '/upload');
});

test('the receipt waits for the next block', async () => {
  let height = 977_462;
  const { queries } = show({}, 'free', null, () => ({ ...BOARD, block: { height, since: '2026-11-26T12:00:00Z' } }));
  expect(await screen.findByText('Receipt: in the log after the next block.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Receipt' })).toBeDisabled();
  height += 1;
  await queries.invalidateQueries();
  await vi.waitFor(() => expect(screen.getByRole('button', { name: 'Receipt' })).toBeEnabled());
  expect(screen.queryByText('Receipt: in the log after the next block.')).toBeNull();
});

test('of coins that are in the log already the receipt waits for nothing', async () => {
  show({ status: 'already-verified' }, 'free', null, () => ({ ...BOARD, block: { height: 977_462, since: '2026-11-26T12:00:00Z' } }));
  expect(await screen.findByText(/^of 792 holders/)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Receipt' })).toBeEnabled();
});

test('premium users read about the daily re-verification', () => {
  show({}, 'premium');
  expect(screen.getByRole('status')).toHaveTextContent('daily automatic re-verification');
});

test('of several files the next one is a press away', async () => {
  const onPress = vi.fn<() => void>();
  show({}, 'free', { text: '2 of 5 done. Sign the next file', onPress });
  await userEvent.click(screen.getByRole('button', { name: '2 of 5 done. Sign the next file' }));
  expect(onPress).toHaveBeenCalledOnce();
});
