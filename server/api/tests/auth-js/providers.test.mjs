// The whole way with @supabase/auth-js in a page: to a provider and back, and what the session can do then (decisions, D9).
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Browser, ORIGIN, Storage, client, steer, throughProvider } from './site.mjs';

const PEOPLE = {
  twitter: { id: '1', name: 'Shown at X', username: 'alice', profile_image_url: 'https://pbs.twimg.com/alice_normal.jpg' },
  google: { sub: '1', name: 'A Real Name', email: 'alice@mail.example', email_verified: true },
  github: { id: 1, login: 'alice', emails: [{ email: 'octo@mail.example', primary: true, verified: true }] },
};

const clients = [];
function tab(storage, browser) {
  const auth = client(storage, browser.send);
  clients.push(auth);
  return auth;
}
after(() => Promise.all(clients.map((auth) => auth.stopAutoRefresh())));

/** A page whose user is signed in at this provider. */
async function signedIn(provider, storage = new Storage(), browser = new Browser()) {
  await steer(provider, PEOPLE[provider]);
  const auth = tab(storage, browser);
  const parameters = await throughProvider(auth, browser, provider);
  assert.deepEqual([...parameters.keys()], ['code']);
  const { data, error } = await auth.exchangeCodeForSession(parameters.get('code'));
  assert.equal(error, null);
  return { auth, storage, browser, session: data.session };
}

for (const [provider, email] of [['twitter', ''], ['google', 'alice@mail.example'], ['github', 'octo@mail.example']]) {
  test(`${provider}: sign-in, reload, refresh, claims, sign-out`, async () => {
    const { auth, storage, browser, session } = await signedIn(provider);
    assert.equal(session.user.app_metadata.provider, provider);
    assert.equal(session.user.email, email);
    const name = provider === 'google' ? `user_${session.user.id.slice(0, 5)}` : 'alice';
    assert.equal(session.user.user_metadata.user_name, name);

    const reloaded = tab(storage, browser);
    assert.equal((await reloaded.getSession()).data.session.access_token, session.access_token);
    assert.deepEqual((await reloaded.getUser()).data.user, session.user);

    storage.expireIn(60);
    const { data, error } = await reloaded.getSession();
    assert.equal(error, null);
    assert.equal(data.session.user.id, session.user.id);
    assert.notEqual(storage.session.refresh_token, session.refresh_token);

    const { data: claims } = await reloaded.getClaims();
    assert.equal(claims.claims.sub, session.user.id);
    assert.equal(claims.claims.app_metadata.provider, provider);

    assert.deepEqual(await auth.signOut(), { error: null });
    assert.equal(storage.session, null);
    assert.equal(browser.cookie('por-refresh'), undefined);
    assert.equal((await reloaded.getUser(data.session.access_token)).error.name, 'AuthSessionMissingError');
  });
}

test('fifty tabs that refresh at the same moment all stay signed in', async () => {
  const { storage, browser } = await signedIn('twitter');
  storage.expireIn(-10);
  const tabs = Array.from({ length: 50 }, () => tab(storage, browser));
  await Promise.all(tabs.map((auth) => auth.getSession()));
  const users = await Promise.all(tabs.map((auth) => auth.getUser()));
  assert.deepEqual(
    users.map(({ error }) => error),
    tabs.map(() => null),
  );
  storage.expireIn(-10);
  assert.equal((await tabs[49].refreshSession()).error, null);
});

test('signing out with scope others leaves this device signed in', async () => {
  const phone = await signedIn('twitter');
  const desk = await signedIn('twitter');
  assert.equal(phone.session.user.id, desk.session.user.id);
  assert.deepEqual(await desk.auth.signOut({ scope: 'others' }), { error: null });
  assert.equal((await phone.auth.getUser()).error.name, 'AuthSessionMissingError');
  assert.equal((await desk.auth.getUser()).error, null);
});

test('a user who declines comes back with an error that the page can show', async () => {
  await steer('github', null);
  const browser = new Browser();
  const parameters = await throughProvider(tab(new Storage(), browser), browser, 'github');
  assert.equal(parameters.get('code'), null);
  assert.equal(parameters.get('error'), 'access_denied');
  assert.equal(parameters.get('error_code'), 'access_denied');
  assert.match(parameters.get('error_description'), /GitHub/);
});

test('only the tab that began can complete a sign-in', async () => {
  await steer('twitter', PEOPLE.twitter);
  const browser = new Browser();
  const parameters = await throughProvider(tab(new Storage(), browser), browser, 'twitter');
  const other = tab(new Storage(), browser);
  await throughProvider(other, browser, 'twitter');
  const { error } = await other.exchangeCodeForSession(parameters.get('code'));
  assert.equal(error.code, 'bad_code_verifier');
});
