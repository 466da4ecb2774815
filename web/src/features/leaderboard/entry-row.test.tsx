import { render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { BoardEntry } from '../../api/board';
import { profile } from '../../testing/profiles';
import { EntryRow } from './entry-row';

/** Eight days after the profile was verified. */
const TODAY = Date.parse('2026-01-09T00:00:00Z') / 86_400_000;

function show(entries: BoardEntry[], you: string | null = null, price: number | null = 100_000, onOpen?: (entry: BoardEntry) => void) {
  render(
    <table>
      <tbody>
        {entries.map((entry, index) => (
          <EntryRow key={entry.id} index={index} entry={entry} price={price} today={TODAY} isYou={entry.id === you} isTarget={false} onOpen={onOpen} />
        ))}
      </tbody>
    </table>,
  );
  return screen.getAllByRole('row');
}

test('a verified holder from X has a tick, a tier, a rank and a link', () => {
  const [row] = show([profile()]);
  const cells = within(row!).getAllByRole('cell');
  expect(cells[0]).toHaveTextContent('4');
  expect(within(row!).getByRole('link', { name: '@satoshi' })).toHaveAttribute('href', 'https://x.com/satoshi');
  expect(cells[1]).toHaveTextContent('Fish');
  expect(cells[2]?.textContent).toBe('1.50000000');
  expect(cells[3]).toHaveTextContent('$150K ($150,000)');
  // One mark for the proof, with its age and its date.
  expect(cells[4]).toHaveTextContent('Verified 8d ago (Verified Jan 1, 2026)');
  // Hovering shows texts that are cut off or shortened.
  expect(Array.from(row?.querySelectorAll('[title]') ?? [], (part) => part.getAttribute('title'))).toEqual(['@satoshi', '$150,000', 'Verified Jan 1, 2026']);
  expect(within(row!).getByRole('link', { name: /View Profile/ })).toHaveAttribute(
    'href',
    '/profile/8b1b4444-46c1-4faa-87cc-058597cdbc80',
  );
  expect(row).not.toHaveTextContent('(you)');
});

test('a trophy for the first three, also when they share a rank', () => {
  const ranks = [1, 2, 2, 4];
  const rows = show(ranks.map((rank, index) => profile({ id: `${index}`, rank })));
  const trophies = rows.map((row) => within(row).queryByText('Rank') !== null);
  expect(trophies).toEqual([true, true, true, false]);
});

test('a user of another provider without proofs has N/A and no tick', () => {
  const stranger = profile({ provider: 'github', verified: false, bitcoin_holdings: null, rank: null });
  const [row] = show([stranger], stranger.id);
  expect(row).toHaveTextContent('github:satoshi');
  expect(row).toHaveTextContent('(you)');
  expect(row).toHaveTextContent('Plankton');
  expect(row).toHaveTextContent('Unverified');
  const cells = within(row!).getAllByRole('cell');
  expect([cells[2], cells[3]].map((cell) => cell?.textContent?.endsWith('N/A'))).toEqual([true, true]);
});

test('a sum that anyone can check has a sign that leads there, and says how much of the total it is', () => {
  const [row, other] = show([profile({ id: 'a', published_sats: 25_000_000 }), profile({ id: 'b' })]);
  const sign = within(row!).getByRole('link', { name: 'Published proofs of @satoshi: 0.25000000 of 1.5 BTC' });
  expect(sign).toHaveAttribute('href', '/verify?profile=a');
  expect(sign).toHaveAttribute('title', 'Published: 0.25000000 of 1.5 BTC. Check it yourself');
  expect(within(other!).queryByRole('link', { name: /Published/ })).toBeNull();
});

test('the value waits for the price', () => {
  const [row] = show([profile()], null, null);
  expect(within(row!).getAllByRole('cell')[3]).toHaveTextContent('Loading...');
});

test('a proof that ends soon says so', () => {
  const [row] = show([profile({ last_verified: '2025-10-15T00:00:00Z' })]);
  expect(within(row!).getAllByRole('cell')[4]).toHaveTextContent('Verified · ends in 4d');
});

test('for visitors a row opens what is public, and leads to no login wall', async () => {
  const onOpen = vi.fn<(entry: BoardEntry) => void>();
  const person = profile();
  const [row] = show([person], null, 1, onOpen);
  await userEvent.click(within(row!).getByRole('link', { name: 'View Profile of satoshi' }));
  expect(onOpen).toHaveBeenCalledExactlyOnceWith(person);
  expect(location.pathname).toBe('/');
});
