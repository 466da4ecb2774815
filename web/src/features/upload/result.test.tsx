import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ProofAnswer } from '../../api/types';
import { open } from '../../testing/render';
import { Result } from './chosen-file';

const show = (answer: ProofAnswer) => open(<Result answer={answer} />);

test('a conflict is two paragraphs: what it is, and what to do', () => {
  show({ status: 'conflict', message: 'Conflict detected. If that account is yours, use it or delete it.' });
  const box = screen.getByRole('alert');
  expect(box).toHaveTextContent('Conflict Detected');
  expect(box).toHaveTextContent('One or more of these UTXOs are already claimed by another user.Conflict detected. If that account is yours, use it or delete it.');
});

test('a conflict without a message has its default', () => {
  show({ status: 'conflict', message: '' });
  expect(screen.getByRole('alert')).toHaveTextContent('Conflict detected.');
});

test.each([
  ['Input 2 is not signed.', 'Input 2 is not signed.'],
  ['', 'Verification failed.'],
])('an error with the message %j says %s', (message, shown) => {
  show({ status: 'error', message });
  const box = screen.getByRole('alert');
  expect(box).toHaveTextContent('Verification Failed');
  expect(box).toHaveTextContent(shown);
  expect(box).not.toHaveTextContent('again');
});

test('what may pass offers to send the same file again', () => {
  show({ status: 'error', message: 'The chain is out of reach.', again: true });
  expect(screen.getByRole('alert')).toHaveTextContent('Press the button again in a moment.');
});
