import { render, screen, within } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { BoardEntry } from '../../api/board';
import { profile } from '../../testing/profiles';
import { EntryRow } from './entry-row';

function show(entries: BoardEntry[], you: string | null = null, price: number | null = 100_000) {
  render(
    <table>
      <tbody>
        {entries.map((entry, index) => (
          <EntryRow key={entry.id} index={index} height={76} entry={entry} price={price} isYou={entry.id === you} isTarget={false} />
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
  expect(within(row!).getByRole('img', { name: 'Verified' })).toBeInTheDocument();
  expect(cells[1]).toHaveTextContent('Fish');
  expect(cells[2]).toHaveTextContent('1.50000000');
  expect(cells[3]).toHaveTextContent('$150,000');
  expect(cells[4]).toHaveTextContent('Verified');
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

test('somebody without proofs, from elsewhere, has N/A and no tick', () => {
  const stranger = profile({ provider: 'github', verified: false, bitcoin_holdings: null, rank: null });
  const [row] = show([stranger], stranger.id);
  expect(row).toHaveTextContent('github:satoshi');
  expect(row).toHaveTextContent('(you)');
  expect(row).toHaveTextContent('Plankton');
  expect(row).toHaveTextContent('Unverified');
  const cells = within(row!).getAllByRole('cell');
  expect([cells[2], cells[3]].map((cell) => cell?.textContent?.endsWith('N/A'))).toEqual([true, true]);
  expect(within(row!).queryByRole('img', { name: 'Verified' })).toBeNull();
});

test('the value waits for the price', () => {
  const [row] = show([profile()], null, null);
  expect(within(row!).getAllByRole('cell')[3]).toHaveTextContent('Loading...');
});
