import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { stubNetwork } from '../../testing/network';
import { open } from '../../testing/render';
import ShareDialog, { copyTexts } from './share-dialog';

beforeEach(() => void stubNetwork(() => ({ body: { people: 1, holders: 1, bitcoin: 1, tiers: [], block: null } })));

const PERSON = { username: 'satoshi', provider: 'twitter', named: true };

test.each([
  ['Copy the link', 'link'],
  ['Copy the badge as Markdown', 'markdown'],
  ['Copy the badge as HTML', 'image'],
  ['Copy the row as HTML', 'frame'],
  ['Copy the address of the CSV', 'csv'],
  ['Copy the address of the JSON', 'json'],
] as const)('%s copies it, and says so', async (label, part) => {
  const user = userEvent.setup();
  open(<ShareDialog onClose={() => {}} person={PERSON} />);
  await user.click(screen.getByRole('button', { name: label }));
  expect(await screen.findByRole('button', { name: 'Copied' })).toHaveTextContent('Copied');
  expect(await navigator.clipboard.readText()).toBe(copyTexts('satoshi', '@satoshi', window.location.origin)[part]);
});

test('what the browser does not let be copied is not said to be', async () => {
  const user = userEvent.setup();
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(new DOMException('No.', 'NotAllowedError'));
  open(<ShareDialog onClose={() => {}} person={PERSON} />);
  await user.click(screen.getByRole('button', { name: 'Copy the link' }));
  expect(screen.queryByRole('button', { name: 'Copied' })).toBeNull();
  expect(screen.getByText(/\/leaderboard\?u=satoshi$/)).toBeInTheDocument();
});
