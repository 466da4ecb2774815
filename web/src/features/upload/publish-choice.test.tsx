import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { open } from '../../testing/render';
import { PublishChoice } from './publish-choice';

const show = (changes: Partial<Parameters<typeof PublishChoice>[0]> = {}) => {
  const onChange = vi.fn<(publish: boolean) => void>();
  open(<PublishChoice bound message={false} checked={false} disabled={false} onChange={onChange} {...changes} />);
  return onChange;
};
const box = () => screen.getByRole('checkbox', { name: 'Publish this proof, so that anybody can check it' });

test('publishing is off, and says what it costs before', async () => {
  const onChange = show();
  expect(box()).not.toBeChecked();
  expect(box()).toHaveAccessibleDescription(/tied to your name for ever.*cannot be called back/);
  await userEvent.click(box());
  expect(onChange).toHaveBeenCalledExactlyOnceWith(true);
});

test('the message is the better form for it', () => {
  show();
  expect(screen.getByText(/A signed message is the better form/)).toBeInTheDocument();
});

test('what is a message already is told so', () => {
  show({ message: true });
  expect(screen.getByText(/This file is a signed message, which is the better form/)).toBeInTheDocument();
});

test('what carries no statement cannot be published', () => {
  show({ bound: false, checked: true });
  expect(box()).toBeDisabled();
  expect(box()).not.toBeChecked();
  expect(box()).toHaveAccessibleDescription(/could be one that somebody broadcasts/);
});
