import { cleanup, render, screen } from '@testing-library/react';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';
import { expect, test, vi } from 'vitest';
import { signedIn, USER, WithSession } from '../../testing/session';
import type { Session } from './context';
import { Guard, type Ask } from './guard';
import { beginLeaving, endLeaving, keepWanted, wantedPath } from './wanted';

function open(path: string, session: Partial<Session>, ask?: Ask) {
  const location = memoryLocation({ path, record: true });
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Router hook={location.hook} searchHook={location.searchHook}>
        <WithSession session={session}>
          <Guard {...(ask ? { ask } : {})}>
            <p>The page</p>
          </Guard>
        </WithSession>
      </Router>
    </QueryClientProvider>,
  );
  return location.history.at(-1);
}

test('waits while the session is looked up', () => {
  expect(open('/upload', { isLoading: true })).toBe('/upload');
  expect(screen.getByRole('status')).toHaveTextContent('Loading...');
});

test('what the page will ask is asked while the profile is still being read', () => {
  const ask = vi.fn<Ask>();
  open('/upload', { isLoading: true, userId: USER.id }, ask);
  expect(screen.getByRole('status')).toHaveTextContent('Loading...');
  expect(ask.mock.calls.map(([, id]) => id)).toEqual([USER.id]);
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

test('the address that was wanted is kept through the sign-in and the plans, until it is there', () => {
  open('/upload', {});
  expect(wantedPath()).toBe('/upload');
  cleanup();
  open('/choose-plan', signedIn(null));
  expect(wantedPath()).toBe('/upload');
  cleanup();
  open('/upload', signedIn());
  expect(wantedPath()).toBeNull();
});

test('it is kept with its query, and is there only with it', () => {
  open('/upload?publish', {});
  expect(wantedPath()).toBe('/upload?publish');
  cleanup();
  open('/upload', signedIn());
  expect(wantedPath()).toBe('/upload?publish');
  cleanup();
  open('/upload?publish', signedIn());
  expect(wantedPath()).toBeNull();
});

test('the profile that everybody is led to after signing in was not asked for', () => {
  open(`/profile/${USER.id}`, signedIn(null));
  expect(wantedPath()).toBeNull();
});

test('a page that is left by signing out is not wanted, the next one is', () => {
  beginLeaving();
  open('/upload', {});
  expect(wantedPath()).toBeNull();
  endLeaving();
  cleanup();
  open('/upload', {});
  expect(wantedPath()).toBe('/upload');
});

test.each(['//elsewhere.example', '/\\elsewhere.example', 'https://elsewhere.example', '//elsewhere.example/?upload'])('%s is no address of this app', (path) => {
  keepWanted(path);
  expect(wantedPath()).toBeNull();
});
