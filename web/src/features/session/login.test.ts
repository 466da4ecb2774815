import { expect, test } from 'vitest';
import { callbackError, redactedAddress } from './callback-page';
import { loginRefusal } from './login';

const sign_in = ['twitter', 'google', 'github', 'mock'].map((name) => ({ name, title: name, on: true }));

test.each([
  ['myspace', true, 'Unsupported provider: myspace'],
  ['myspace', false, 'Unsupported provider: myspace'],
  ['mock', false, 'Mock login is only available in development mode.'],
  ['mock', true, null],
  ['twitter', true, 'OAuth login (twitter) is disabled in development mode. Use mock login.'],
  ['google', true, 'OAuth login (google) is disabled in development mode. Use mock login.'],
  ['twitter', false, null],
  ['github', false, null],
])('login with %s, development %s', (provider, development, refusal) => {
  expect(loginRefusal(provider, { development, sign_in })).toBe(refusal);
});

test('a provider that is not set up is refused here, in the words of the server', () => {
  const off = sign_in.map(({ name, title }) => ({ name, title, on: name === 'github' }));
  expect(loginRefusal('twitter', { development: false, sign_in: off })).toBe('Sign-in with twitter is not set up on this server.');
  expect(loginRefusal('github', { development: false, sign_in: off })).toBeNull();
});

test('an error in the callback address is shown with its description', () => {
  expect(callbackError(new URLSearchParams('code=abc'))).toBeNull();
  expect(callbackError(new URLSearchParams('error=access_denied&error_description=No+thanks'))).toBe(
    'Authentication error: access_denied - No thanks',
  );
});

test('the debug panel never shows the code', () => {
  expect(redactedAddress('https://x.example/auth/callback?code=secret&state=1')).toBe(
    'https://x.example/auth/callback?code=redacted&state=1',
  );
});
