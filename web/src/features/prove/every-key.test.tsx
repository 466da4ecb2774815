import { render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { SpendingConditions } from '../../psbt';
import { EveryKey } from './every-key';
import type { ReaderProof } from './use-reader-proof';

const multisig = (signed: number[]): SpendingConditions => ({ needed: 2, of: 3, signed, lockTime: null, sequence: null, hidden: false });

function show(further: number, conditions: (SpendingConditions | null)[]) {
  const onEveryKey = vi.fn<(every: boolean) => void>();
  const built = { further, checked: { check: { conditions } } } as ReaderProof;
  const { container } = render(<EveryKey built={built} everyKey={false} onEveryKey={onEveryKey} />);
  return { container, onEveryKey };
}

test('signatures that are not needed are for the reader only when the holder says so', async () => {
  const { onEveryKey } = show(2, [multisig([1, 2]), multisig([1, 2])]);
  expect(screen.getByText('Keys 1 and 2 of 3 signed; 2 are needed.')).toBeInTheDocument();
  const choice = screen.getByRole('checkbox', { name: 'Put every signature into the file' });
  expect(choice).not.toBeChecked();
  await userEvent.click(choice);
  expect(onEveryKey).toHaveBeenCalledWith(true);
});

test('who has keys that did not sign learns how to show them', () => {
  show(0, [multisig([1, 3])]);
  expect(screen.getByText(/have them sign the same file, and drop it here/)).toBeInTheDocument();
  expect(screen.queryByRole('checkbox')).toBeNull();
});

test('of coins with one key nothing is asked', () => {
  const one = { ...multisig([1]), needed: 1, of: 1 };
  expect(show(0, [one, null]).container).toBeEmptyDOMElement();
});
