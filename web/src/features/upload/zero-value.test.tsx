import { render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { PsbtInput, PsbtOutput } from '../../psbt';
import { ZeroValueWarning } from './totals';

const show = (values: (number | null)[], output: [string, bigint] = ['aa', 7n]) => {
  const inputs = values.map((value) => ({ valueSats: value === null ? null : BigInt(value) }) as PsbtInput);
  render(<ZeroValueWarning report={{ inputs, outputs: [{ scriptPubKey: output[0], valueSats: output[1] } as PsbtOutput] }} />);
};

test('a coin of 0 sats is named before anything is sent', () => {
  show([5000, 0]);
  expect(screen.getByRole('alert')).toHaveTextContent('Input 2 is a coin of 0 sats');
});

test('several are counted', () => {
  show([0, 5000, 0]);
  expect(screen.getByRole('alert')).toHaveTextContent('2 inputs are coins of 0 sats');
});

test('a value that the file does not state is no 0, and neither is the first input of a message', () => {
  show([null, 1]);
  show([0, 5000], ['6a', 0n]);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a message claims its other inputs', () => {
  show([0, 5000, 0], ['6a', 0n]);
  expect(screen.getByRole('alert')).toHaveTextContent('Input 3 is a coin of 0 sats');
});
