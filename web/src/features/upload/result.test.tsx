import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { ProofAnswer } from '../../api/types';
import { open } from '../../testing/render';
import { Result } from './chosen-file';

const show = (answer: ProofAnswer) => open(<Result answer={answer} />);

test('a conflict has the message, or its default, and the note', () => {
  show({ status: 'conflict', message: '' });
  const box = screen.getByRole('alert');
  expect(box).toHaveTextContent('Conflict Detected');
  expect(box).toHaveTextContent('Conflict detected.');
  expect(box).toHaveTextContent('One or more of these UTXOs are already claimed by another user.');
  expect(box).toHaveTextContent('If it’s yours, use it or delete it.');
});

test.each([
  ['Input 2 is not signed.', 'Input 2 is not signed.'],
  ['', 'Verification failed.'],
])('an error with the message %j says %s', (message, shown) => {
  show({ status: 'error', message });
  const box = screen.getByRole('alert');
  expect(box).toHaveTextContent('Verification Failed');
  expect(box).toHaveTextContent(shown);
  expect(box).toHaveTextContent('Click or drag a new file to try again.');
});
