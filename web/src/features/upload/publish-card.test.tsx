import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { open } from '../../testing/render';
import { PublishCard } from './publish-card';

const publish = (changes: Partial<Parameters<typeof PublishCard>[0]> = {}) => {
  const onPublish = vi.fn<() => void>();
  open(<PublishCard published={null} bound ranged={false} message={false} sending={false} trouble={null} onPublish={onPublish} {...changes} />);
  return onPublish;
};

test('publishing is offered beside its price', async () => {
  const onPublish = publish();
  expect(screen.getByText(/your name is tied to them, and to where they came from and go, for good/)).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Publish' }));
  expect(onPublish).toHaveBeenCalledOnce();
});

test.each([
  [{ bound: false }, /Only a proof with your statement can be published/],
  [{ ranged: true }, /You show only a range of your total/],
])('with %j it cannot be published', (changes, why) => {
  publish(changes);
  expect(screen.getByRole('button', { name: 'Publish' })).toBeDisabled();
  expect(screen.getByText(why)).toBeInTheDocument();
});

test('what is published leads to where anyone can check it', () => {
  publish({ published: 'an-id' });
  expect(screen.getByRole('link', { name: 'Anyone can check it' })).toHaveAttribute('href', '/verify/an-id');
});
