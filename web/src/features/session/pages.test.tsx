import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { stubNetwork } from '../../testing/network';
import { open } from '../../testing/render';
import { signedIn, USER } from '../../testing/session';
import { authClient } from './auth-client';
import CallbackPage from './callback-page';
import LoginPage from './login-page';
import { keepWanted } from './wanted';

vi.mock('./auth-client', () => ({ authClient: vi.fn<() => unknown>() }));
const auth = (client: object) => vi.mocked(authClient).mockResolvedValue(client as never);
const never = () => new Promise<never>(() => {});

beforeEach(() => void stubNetwork(() => ({ body: { development: true, sign_in: [] } })));

test('the login screen: its title and the one way in', async () => {
  stubNetwork(() => ({ body: { development: false, sign_in: [] } }));
  open(<LoginPage />);
  expect(screen.getByRole('heading', { level: 1 })).toHaveTextContent('Sign in to your X account');
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Continue with X']);
});

test('providers that are set up are further ways in', async () => {
  const sign_in = [
    { name: 'twitter', title: 'X', on: true },
    { name: 'google', title: 'Google', on: false },
    { name: 'github', title: 'GitHub', on: true },
    { name: 'mock', title: 'the mock', on: false },
  ];
  stubNetwork(() => ({ body: { development: false, sign_in } }));
  open(<LoginPage />, { session: { login: never } });
  await userEvent.click(await screen.findByRole('button', { name: 'Continue with GitHub' }));
  expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['Continue with X', 'Loading...']);
});

test('while X is opened the button says Loading...', async () => {
  open(<LoginPage />, { session: { login: never } });
  await userEvent.click(screen.getByRole('button', { name: 'Continue with X' }));
  expect(screen.getByRole('button', { name: 'Loading...' })).toBeDisabled();
});

test('development has its own way in, with its note', async () => {
  open(<LoginPage />, { session: { login: never } });
  await userEvent.click(await screen.findByRole('button', { name: 'Dev: Create Mock User & Login' }));
  expect(screen.getByRole('button', { name: 'Creating Mock User...' })).toBeDisabled();
  expect(screen.getByText('(Only available in development mode)')).toBeInTheDocument();
});

test.each([
  ['Continue with X', new Error('Failed to login with twitter'), 'Error: Failed to login with twitter'],
  ['Continue with X', 'odd', 'Error: An unexpected error occurred during login.'],
  ['Dev: Create Mock User & Login', 'odd', 'Error: An unexpected error occurred during mock login.'],
])('%s that fails with %s', async (button, thrown, shown) => {
  open(<LoginPage />, { session: { login: () => Promise.reject(thrown) } });
  await userEvent.click(await screen.findByRole('button', { name: button }));
  expect(await screen.findByRole('alert')).toHaveTextContent(shown);
});

test.each(['Failed to check authentication status', 'Failed to logout'])('%s is shown in the box', (error) => {
  open(<LoginPage />, { session: { error } });
  expect(screen.getByRole('alert')).toHaveTextContent(`Error: ${error}`);
});

test('who is signed in already is led to the profile', () => {
  expect(open(<LoginPage />, { path: '/login', session: signedIn() }).path()).toBe(`/profile/${USER.id}`);
});

test.each([
  ['the login screen', <LoginPage key="login" />, '/login'],
  ['the callback', <CallbackPage key="callback" />, '/auth/callback'],
])('%s leads to the address that was wanted before', (_name, screenOf, path) => {
  auth({ getSession: never });
  keepWanted('/upload');
  expect(open(screenOf, { path, session: signedIn() }).path()).toBe('/upload');
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
  ['code=1', { exchangeCodeForSession: async () => ({ error: { message: 'code is used' } }) }, 'code is used'],
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
