import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { UserFacingError } from '../../lib/errors';
import { stubNetwork } from '../../testing/network';
import { open } from '../../testing/render';
import { signedIn, USER } from '../../testing/session';
import { authClient } from './auth-client';
import CallbackPage from './callback-page';
import LoginPage from './login-page';
import { SESSION_ENDED } from './context';
import { keepWanted } from './wanted';

vi.mock('./auth-client', () => ({ authClient: vi.fn<() => unknown>() }));
const auth = (client: object) => vi.mocked(authClient).mockResolvedValue(client as never);
const never = () => new Promise<never>(() => {});

const PROVIDERS = { twitter: 'X', google: 'Google', github: 'GitHub', mock: 'the mock' };
/** A server in production on which these providers are set up, or one in development. */
const serve = (...names: string[]) =>
  stubNetwork(() => ({
    body: {
      network: 'regtest',
      development: names.includes('mock'),
      sign_in: Object.entries(PROVIDERS).map(([name, title]) => ({ name, title, on: names.includes(name) })),
    },
  }));
const buttons = () => screen.queryAllByRole('button').map(({ textContent }) => textContent);

beforeEach(() => void serve('twitter'));

test('the login screen: its title and the one way in', async () => {
  open(<LoginPage />);
  expect(await screen.findByRole('button', { name: 'Continue with X' })).toBeEnabled();
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Sign in to your X account');
  expect(buttons()).toEqual(['Continue with X']);
});

test('no way in is offered before it is known to be one', async () => {
  open(<LoginPage />);
  expect(screen.getByRole('button')).toBeDisabled();
  expect(buttons()).toEqual(['Loading...']);
  await screen.findByRole('button', { name: 'Continue with X' });
});

test('X has no button where it is not set up and another provider is', async () => {
  serve('github');
  open(<LoginPage />);
  await screen.findByRole('button', { name: 'Continue with GitHub' });
  expect(buttons()).toEqual(['Continue with GitHub']);
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Sign in');
});

test('where nothing is set up, that is said', async () => {
  serve();
  open(<LoginPage />);
  expect(await screen.findByRole('status')).toHaveTextContent('Sign-in isn’t set up on this server');
  expect(buttons()).toEqual([]);
});

test('in development X cannot be pressed, and says why', async () => {
  serve('mock');
  open(<LoginPage />);
  const x = await screen.findByRole('button', { name: 'Continue with X' });
  expect(x).toBeDisabled();
  expect(x).toHaveAccessibleDescription('OAuth login (twitter) is disabled in development mode. Use mock login.');
});

test('while the server does not say what is set up, X can be tried', async () => {
  stubNetwork(() => new TypeError('Failed to fetch'));
  open(<LoginPage />);
  expect(await screen.findByRole('button', { name: 'Continue with X' })).toBeEnabled();
});

test('providers that are set up are further ways in', async () => {
  serve('twitter', 'github');
  open(<LoginPage />, { session: { login: never } });
  await userEvent.click(await screen.findByRole('button', { name: 'Continue with GitHub' }));
  expect(buttons()).toEqual(['Continue with X', 'Loading...']);
});

test('while X is opened the button says Loading...', async () => {
  open(<LoginPage />, { session: { login: never } });
  await userEvent.click(await screen.findByRole('button', { name: 'Continue with X' }));
  expect(screen.getByRole('button', { name: 'Loading...' })).toBeDisabled();
});

test('development has its own way in, with its note', async () => {
  serve('mock');
  open(<LoginPage />, { session: { login: never } });
  await userEvent.click(await screen.findByRole('button', { name: 'Dev: Create Mock User & Login' }));
  expect(screen.getByRole('button', { name: 'Creating Mock User...' })).toBeDisabled();
  expect(screen.getByText('(Only available in development mode)')).toBeInTheDocument();
});

test.each([
  ['Continue with X', new UserFacingError('Failed to login with twitter'), 'Error: Failed to login with twitter'],
  ['Continue with X', new TypeError('x is not a function'), 'Error: An unexpected error occurred during login.'],
  ['Continue with X', 'odd', 'Error: An unexpected error occurred during login.'],
  ['Dev: Create Mock User & Login', 'odd', 'Error: An unexpected error occurred during mock login.'],
])('%s that fails with %s', async (button, thrown, shown) => {
  serve(button === 'Continue with X' ? 'twitter' : 'mock');
  open(<LoginPage />, { session: { login: () => Promise.reject(thrown) } });
  await userEvent.click(await screen.findByRole('button', { name: button }));
  expect(await screen.findByRole('alert')).toHaveTextContent(shown);
});

test.each(['Failed to check authentication status', 'Failed to logout'])('%s is shown in the box', (error) => {
  open(<LoginPage />, { session: { error } });
  expect(screen.getByRole('alert')).toHaveTextContent(`Error: ${error}`);
});

test.each([
  ['/upload', null, 'You must be logged in to verify a PSBT.'],
  ['/upload?publish', null, 'You must be logged in to verify a PSBT.'],
  ['/choose-plan', null, 'You must be logged in to select a plan.'],
  ['/profile/1', null, 'You must be logged in to see that page.'],
  ['/upload', SESSION_ENDED, 'Your session has ended. Please sign in again.'],
])('a visitor sent here from %s reads why', (path, error, reason) => {
  keepWanted(path);
  open(<LoginPage />, { session: { error } });
  expect(screen.getByRole('status')).toHaveTextContent(reason);
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a visitor who did not want another page reads no reason', () => {
  open(<LoginPage />);
  expect(screen.queryByRole('status')).toBeNull();
});

test('who is signed in already is led to the profile', () => {
  expect(open(<LoginPage />, { path: '/login', session: signedIn() }).path()).toBe(`/profile/${USER.id}`);
});

test.each([
  ['the login screen', <LoginPage key="login" />, '/login'],
  ['the callback', <CallbackPage key="callback" />, '/auth/callback'],
])('%s leads to the address that was wanted before', (_name, screenOf, path) => {
  auth({ getSession: never });
  keepWanted('/upload?publish');
  expect(open(screenOf, { path, session: signedIn() }).path()).toBe('/upload?publish');
});

test('the callback waits, with its words', () => {
  auth({ exchangeCodeForSession: never });
  open(<CallbackPage />, { path: '/auth/callback?code=wait' });
  expect(screen.getByRole('status')).toHaveTextContent('Completing Authentication...');
});

test('the callback leads to the profile', () => {
  auth({ getSession: never });
  expect(open(<CallbackPage />, { path: '/auth/callback', session: signedIn() }).path()).toBe(`/profile/${USER.id}`);
});

test.each([
  ['error=access_denied&error_description=No+thanks', {}, 'Authentication error: access_denied - No thanks'],
  ['', { getSession: async () => ({ data: { session: null }, error: null }) }, 'Authentication failed. No session was created.'],
  ['code=1', { exchangeCodeForSession: async () => ({ error: { name: 'AuthApiError', message: 'The code is used.' } }) }, 'The code is used.'],
  ['code=3', { exchangeCodeForSession: async () => ({ error: { name: 'AuthPKCECodeVerifierMissingError', message: 'PKCE' } }) }, 'This sign-in link was used already, or belongs to another browser. Sign in again.'],
  ['code=2', { exchangeCodeForSession: () => Promise.reject(new Error('')) }, 'Unknown authentication error'],
])('the callback with %s fails in its words', async (query, client, message) => {
  auth(client);
  open(<CallbackPage />, { path: `/auth/callback?${query}` });
  expect(await screen.findByRole('heading', { name: 'Authentication Error' })).toBeInTheDocument();
  expect(screen.getByRole('alert')).toHaveTextContent(message);
  expect(screen.getByRole('link', { name: 'Return to Login' })).toHaveAttribute('href', '/login');
  const debug = screen.getByText('Debug information').closest('details');
  expect(debug).toHaveTextContent('URL');
  expect(debug).toHaveTextContent(message);
});
