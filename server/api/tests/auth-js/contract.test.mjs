// The contract with @supabase/auth-js: sign-in, restore, refresh, several tabs, sign-out, claims, errors (decisions, D9).
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Browser, ORIGIN, Storage, client, codeFromProvider, program, signIn } from './site.mjs';

const clients = [];
/** A client that is stopped at the end, so that its timers do not keep the process alive. */
function tab(storage, send) {
  const auth = client(storage, send);
  clients.push(auth);
  return auth;
}
after(() => Promise.all(clients.map((auth) => auth.stopAutoRefresh())));

const modes = {
  'a program': () => ({ send: program().send }),
  'a page': () => {
    const browser = new Browser();
    return { send: browser.send, browser };
  },
};

for (const [mode, start] of Object.entries(modes)) {
  test(`${mode} signs in, and its session is restored on reload`, async () => {
    const { send } = start();
    const storage = new Storage();
    const session = await signIn(tab(storage, send));
    assert.equal(session.token_type, 'bearer');
    assert.equal(session.user.app_metadata.provider, 'mock');
    assert.equal(session.user.user_metadata.user_name, `user_${session.user.id.slice(0, 5)}`);

    const reloaded = tab(storage, send);
    const events = [];
    reloaded.onAuthStateChange((event, found) => events.push([event, found?.user.id]));
    const { data } = await reloaded.getSession();
    assert.equal(data.session.access_token, session.access_token);
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.ok(events.some(([event, id]) => event === 'INITIAL_SESSION' && id === session.user.id));

    const { data: answer, error } = await reloaded.getUser();
    assert.equal(error, null);
    assert.deepEqual(answer.user, session.user);
  });

  test(`${mode} refreshes a session whose access token is about to end`, async () => {
    const { send } = start();
    const storage = new Storage();
    const auth = tab(storage, send);
    const first = await signIn(auth);
    for (let round = 0; round < 3; round++) {
      const before = storage.session.refresh_token;
      storage.expireIn(round === 1 ? -10 : 60); // inside the margin of 90 s, and after the end
      const { data, error } = await auth.getSession();
      assert.equal(error, null);
      assert.equal(data.session.user.id, first.user.id);
      assert.notEqual(storage.session.refresh_token, before);
      assert.ok(data.session.expires_at > Date.now() / 1000 + 3500);
    }
    assert.equal((await auth.getUser()).error, null);
  });

  test(`${mode} stays signed in when ten tabs refresh at the same moment`, async () => {
    const { send } = start();
    const storage = new Storage();
    await signIn(tab(storage, send));
    storage.expireIn(-10);
    const tabs = Array.from({ length: 10 }, () => tab(storage, send));
    const sessions = await Promise.all(tabs.map((auth) => auth.getSession()));
    // A tab that finds that another one was quicker drops its own answer; nobody is signed out.
    const users = await Promise.all(tabs.map((auth) => auth.getUser()));
    assert.ok(sessions.some(({ data }) => data.session));
    assert.deepEqual(
      users.map(({ error }) => error),
      tabs.map(() => null),
    );
    storage.expireIn(-10);
    const { data, error } = await tabs[0].refreshSession();
    assert.equal(error, null);
    assert.ok(data.session);
  });

  test(`${mode} signs out, and its tokens are dead`, async () => {
    const { send, browser } = start();
    const storage = new Storage();
    const auth = tab(storage, send);
    const session = await signIn(auth);
    const cookies = browser && new Map(browser.cookies);
    assert.deepEqual(await auth.signOut(), { error: null });
    assert.equal(storage.session, null);
    assert.equal(browser?.cookies.size ?? 0, 0);

    const { error } = await auth.getUser(session.access_token);
    assert.equal(error.name, 'AuthSessionMissingError');
    if (browser) browser.cookies = cookies;
    const late = await auth.refreshSession({ refresh_token: session.refresh_token });
    assert.equal(late.error.name, 'AuthSessionMissingError');
    assert.equal(late.data.session, null);
    // Signing out again is no error for the person.
    assert.deepEqual(await auth.signOut(), { error: null });
  });
}

test('sign-out with scope others ends the other devices, and local ends this one', async () => {
  const storage = new Storage();
  const auth = tab(storage, program().send);
  await signIn(auth);
  assert.deepEqual(await auth.signOut({ scope: 'others' }), { error: null });
  assert.equal((await auth.getUser()).error, null);
  assert.deepEqual(await auth.signOut({ scope: 'local' }), { error: null });
  assert.equal((await auth.getSession()).data.session, null);
});

test('getClaims checks the token against the key set, without asking who it is', async () => {
  const { requests, send } = program();
  const auth = tab(new Storage(), send);
  const session = await signIn(auth);
  const { data, error } = await auth.getClaims();
  assert.equal(error, null);
  assert.equal(data.header.alg, 'ES256');
  assert.equal(data.claims.sub, session.user.id);
  assert.equal(data.claims.iss, `${ORIGIN}/api/auth/v1`);
  assert.equal(data.claims.aud, 'authenticated');
  assert.equal(data.claims.role, 'authenticated');
  assert.equal(data.claims.aal, 'aal1');
  assert.match(data.claims.session_id, /^[0-9a-f-]{36}$/);
  assert.equal(data.claims.is_anonymous, false);
  assert.ok(requests.includes('GET /.well-known/jwks.json'));
  assert.ok(!requests.includes('GET /user'));

  const [header, claims, signature] = session.access_token.split('.');
  const forged = Buffer.from(JSON.stringify({ ...data.claims, sub: 'another user' })).toString('base64url');
  const changed = await auth.getClaims([header, forged, signature].join('.'));
  assert.equal(changed.error.name, 'AuthInvalidJwtError');
  assert.notEqual(forged, claims);
});

test('a page never holds the refresh token', async () => {
  const storage = new Storage();
  const browser = new Browser();
  const session = await signIn(tab(storage, browser.send));
  const [cookie] = browser.cookies.values();
  assert.ok(!JSON.stringify([...storage]).includes(cookie));
  // A stolen rotation id is useless to a program.
  const thief = tab(new Storage(), program().send);
  const { error } = await thief.refreshSession({ refresh_token: session.refresh_token });
  assert.equal(error.code, 'refresh_token_not_found');
  assert.equal(error.status, 400);
  assert.equal((await tab(storage, browser.send).refreshSession()).error, null);
});

test('a token that is used again later ends the session', async () => {
  const auth = tab(new Storage(), program().send);
  const first = await signIn(auth);
  const { data } = await auth.refreshSession();
  // Two lost responses in a row are believed, three are not.
  await auth.refreshSession();
  await auth.refreshSession();
  const thief = tab(new Storage(), program().send);
  const reuse = await thief.refreshSession({ refresh_token: first.refresh_token });
  assert.equal(reuse.error.name, 'AuthApiError');
  assert.equal(reuse.error.code, 'refresh_token_already_used');
  assert.equal((await auth.getUser(data.session.access_token)).error.name, 'AuthSessionMissingError');
});

test('a session that has ended elsewhere is removed here', async () => {
  const storage = new Storage();
  const { send } = program();
  const auth = tab(storage, send);
  const session = await signIn(auth);
  await tab(new Storage(), send).admin.signOut(session.access_token, 'global');
  assert.equal((await auth.getUser()).error.name, 'AuthSessionMissingError');
  assert.equal(storage.session, null);
});

test('errors of the code exchange have the codes that the library documents', async () => {
  const storage = new Storage();
  const auth = tab(storage, program().send);
  const code = (await codeFromProvider(auth)).get('code');
  // Another attempt replaces the verifier.
  await codeFromProvider(auth);
  const wrong = await auth.exchangeCodeForSession(code);
  assert.equal(wrong.error.code, 'bad_code_verifier');
  await codeFromProvider(auth);
  const used = await auth.exchangeCodeForSession(code);
  assert.equal(used.error.code, 'flow_state_not_found');
  assert.equal(used.error.status, 400);
  assert.match(used.error.message, /Sign in again/);
});

test('a provider that is off comes back as parameters of the callback page', async () => {
  const parameters = await codeFromProvider(tab(new Storage(), program().send), 'google');
  assert.equal(parameters.get('code'), null);
  assert.equal(parameters.get('error'), 'invalid_request');
  assert.equal(
    parameters.get('error_description'),
    'OAuth login (google) is disabled in development mode. Use mock login.',
  );
});

test('an invalid token and an ended session return different errors', async () => {
  const auth = tab(new Storage(), program().send);
  const session = await signIn(auth);
  const changed = `${session.access_token.slice(0, -6)}AAAAAA`;
  const { error } = await auth.getUser(changed);
  assert.equal(error.name, 'AuthApiError');
  assert.equal(error.code, 'bad_jwt');
  assert.equal(error.status, 401);
});
