import { cleanup, render, screen } from '@testing-library/react';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { expect, test } from 'vitest';
import { signedIn, WithSession } from '../../testing/session';
import type { Session } from './context';
import { Guard } from './guard';

function open(path: string, session: Partial<Session>) {
  const location = memoryLocation({ path, record: true });
  render(
    <Router hook={location.hook}>
      <WithSession session={session}>
        <Guard>
          <p>The page</p>
        </Guard>
      </WithSession>
    </Router>,
  );
  return location.history.at(-1);
}

test('waits while the session is looked up', () => {
  expect(open('/upload', { isLoading: true })).toBe('/upload');
  expect(screen.getByRole('status')).toHaveTextContent('Loading...');
});

test('sends the signed-out to the login screen', () => {
  expect(open('/upload', {})).toBe('/login');
  expect(screen.queryByText('The page')).toBeNull();
});

test('sends people without a tier to the plans, except from there', () => {
  expect(open('/upload', signedIn(null))).toBe('/choose-plan');
  cleanup();
  expect(open('/choose-plan', signedIn(null))).toBe('/choose-plan');
  expect(screen.getByText('The page')).toBeInTheDocument();
});

test.each(['free', 'premium'] as const)('lets %s through', (tier) => {
  expect(open('/upload', signedIn(tier))).toBe('/upload');
  expect(screen.getByText('The page')).toBeInTheDocument();
});
