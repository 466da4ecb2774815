import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, render, screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import { submitProof } from '../../api/mutations';
import { stubNetwork } from '../../testing/network';
import { profile } from '../../testing/profiles';
import { USER } from '../../testing/session';
import { STORAGE_KEY } from './auth-client';
import { SESSION_ENDED, useSession } from './context';
import { SessionProvider } from './provider';

function Who() {
  const { currentUser, error } = useSession();
  return (
    <p>
      {currentUser ? currentUser.username : 'nobody'} {error}
    </p>
  );
}

const IN_A_DAY = Math.floor(Date.now() / 1000) + 86_400;

/** The session as the library stores it. */
const SESSION = JSON.stringify({
  access_token: `e30.${btoa(JSON.stringify({ sub: USER.id, exp: IN_A_DAY }))}.e30`,
  refresh_token: 'r',
  token_type: 'bearer',
  expires_in: 86_400,
  expires_at: IN_A_DAY,
  user: { id: USER.id, user_metadata: { preferred_username: 'satoshi' }, app_metadata: { provider: 'twitter' } },
});

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
