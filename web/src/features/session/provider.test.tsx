import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen, waitFor } from '@testing-library/react';
import { expect, test } from 'vitest';
import { submitProof } from '../../api/mutations';
import { stubNetwork } from '../../testing/network';
import { profile, provenOf } from '../../testing/profiles';
import { USER } from '../../testing/session';
import { expectProof, keepProven } from '../share/just-proven';
import { STORAGE_KEY } from './auth-client';
import { SESSION_ENDED, useSession } from './context';
import { SessionProvider } from './provider';

function Who() {
  const { currentUser, error, logout } = useSession();
  return (
    <>
      <p>
        {currentUser ? currentUser.username : 'nobody'} {error}
      </p>
      <button onClick={() => void logout()}>Logout</button>
    </>
  );
}

const IN_A_DAY = Math.floor(Date.now() / 1000) + 86_400;

/** The session as the library stores it. */
const sessionOf = (id: string) => ({
  access_token: `e30.${btoa(JSON.stringify({ sub: id, exp: IN_A_DAY }))}.e30`,
  refresh_token: 'r',
  token_type: 'bearer',
  expires_in: 86_400,
  expires_at: IN_A_DAY,
  user: { id, user_metadata: { preferred_username: 'satoshi' }, app_metadata: { provider: 'twitter' } },
});
const SESSION = JSON.stringify(sessionOf(USER.id));

/** The event that the browser sends to every other tab. */
function dropped(key: string | null) {
  localStorage.removeItem(STORAGE_KEY);
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key, oldValue: SESSION, newValue: null })));
}

test('a session that this tab’s storage has lost ends with the next answer 401', async () => {
  stubNetwork(({ method, url }) => (url.pathname.endsWith('/submit-proof') ? { status: 401, body: { message: 'This endpoint requires a valid Bearer token.' } } : method === 'GET' ? { body: profile() } : { status: 201 }));
  localStorage.setItem(STORAGE_KEY, SESSION);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SessionProvider>
        <Who />
      </SessionProvider>
    </QueryClientProvider>,
  );
  expect(await screen.findByText(profile().username)).toBeInTheDocument();
  localStorage.removeItem(STORAGE_KEY);
  await act(() => submitProof({ psbtBase64: 'cHNidP8=', utxos: [], file_name: 'a.psbt' }));
  expect(await screen.findByText(`nobody ${SESSION_ENDED}`)).toBeInTheDocument();
});

test.each([STORAGE_KEY, null])('a session that another tab has dropped is over here as well: %s', async (key) => {
  stubNetwork(({ method }) => (method === 'GET' ? { body: profile() } : { status: 201 }));
  localStorage.setItem(STORAGE_KEY, SESSION);
  render(
    <QueryClientProvider client={new QueryClient()}>
      <SessionProvider>
        <Who />
      </SessionProvider>
    </QueryClientProvider>,
  );
  expect(await screen.findByText(profile().username)).toBeInTheDocument();
  act(() => void window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue: null })));
  expect(screen.getByText(profile().username)).toBeInTheDocument();
  dropped(key);
  expect(await screen.findByText(`nobody ${SESSION_ENDED}`)).toBeInTheDocument();
});

/** What ends a session, or gives the tab to another account. */
const ENDS: Record<string, () => unknown> = {
  'signing out': () => screen.getByRole('button', { name: 'Logout' }).click(),
  'signing out in another tab': () => dropped(STORAGE_KEY),
  'a storage that is emptied': () => dropped(null),
  'an answer 401': async () => {
    localStorage.removeItem(STORAGE_KEY);
    await act(() => submitProof({ psbtBase64: 'b3RoZXI=', utxos: [], file_name: 'b.psbt' }));
  },
  'another account in another tab': () => {
    const other = sessionOf('0190d0c2-0000-7000-8000-000000000009');
    localStorage.setItem(STORAGE_KEY, JSON.stringify(other));
    const tab = new BroadcastChannel(STORAGE_KEY);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, not a window
    tab.postMessage({ event: 'SIGNED_IN', session: other });
    tab.close();
  },
};

test.each(Object.keys(ENDS))('the stripped file in memory goes with %s', async (end) => {
  stubNetwork(({ method, url }) => (url.pathname.endsWith('/submit-proof') ? { status: 401, body: { message: 'No session.' } } : method === 'GET' ? { body: profile() } : { status: 201, body: {} }));
  localStorage.setItem(STORAGE_KEY, SESSION);
  const queries = new QueryClient();
  render(
    <QueryClientProvider client={queries}>
      <SessionProvider>
        <Who />
      </SessionProvider>
    </QueryClientProvider>,
  );
  expect(await screen.findByText(profile().username)).toBeInTheDocument();
  expectProof(queries, USER.id);
  keepProven(queries, USER.id, provenOf());
  const memory = () => JSON.stringify(queries.getQueryCache().getAll().map(({ state }) => state.data));
  expect(memory()).toContain('cHNidP8=');
  await ENDS[end]?.();
  await waitFor(() => expect(memory()).not.toContain('cHNidP8='));
});
