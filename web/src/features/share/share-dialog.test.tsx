import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { stubNetwork } from '../../testing/network';
import { profile } from '../../testing/profiles';
import { open } from '../../testing/render';
import ShareDialog, { frameOf } from './share-dialog';

beforeEach(() => void stubNetwork(() => ({ body: { people: 1, holders: 1, bitcoin: 1, tiers: [], block: null } })));

const PERSON = profile();

test('the picture is the one that links show, and can be kept', () => {
  open(<ShareDialog onClose={() => {}} person={PERSON} />);
  expect(screen.getByRole('img', { name: '@satoshi: rank #4, 1.50 BTC' }).getAttribute('src')).toMatch(/^\/card\/satoshi\.png\?/);
  const saved = screen.getByRole('link', { name: 'Save picture' });
  expect([saved.getAttribute('href'), saved.getAttribute('download')]).toEqual(['/card/satoshi.png', 'satoshi.png']);
  expect(screen.getByRole('link', { name: 'Share rank on X' }).getAttribute('href')).toContain('https://x.com/intent/tweet?text=%40satoshi+is+ranked');
});

test('without a rank there is an address to share, and no picture', () => {
  open(<ShareDialog onClose={() => {}} person={profile({ rank: null, bitcoin_holdings: null, verified: false })} />);
  expect(screen.queryByRole('img')).toBeNull();
  expect(screen.queryByRole('link', { name: 'Save picture' })).toBeNull();
  expect(screen.getByRole('link', { name: 'Share rank on X' })).toBeInTheDocument();
});

test.each([
  ['Copy link', `${window.location.origin}/leaderboard?u=satoshi`],
  ['Copy the row as HTML', frameOf('satoshi', '@satoshi', window.location.origin)],
])('%s copies it, and says so', async (label, text) => {
  const user = userEvent.setup();
  open(<ShareDialog onClose={() => {}} person={PERSON} />);
  await user.click(screen.getByRole('button', { name: label }));
  expect(await screen.findByRole('button', { name: 'Copied' })).toHaveTextContent('Copied');
  expect(await navigator.clipboard.readText()).toBe(text);
});

test('what the browser does not let be copied is not said to be', async () => {
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('No.', 'NotAllowedError'));
  open(<ShareDialog onClose={() => {}} person={PERSON} />);
  await user.click(screen.getByRole('button', { name: 'Copy link' }));
  expect(screen.queryByRole('button', { name: 'Copied' })).toBeNull();
});

test('a name is a part of addresses and of texts, and nothing else', () => {
  const name = 'github:a "b" [c]';
  expect(frameOf(name, name, 'https://a.example')).toContain('<iframe src="https://a.example/embed?u=github%3Aa+%22b%22+%5Bc%5D" title="Proof of Reserves of github:a &quot;b&quot; [c]"');
});
