// The published client library in a real browser, on a page of another origin: run by tests/it/auth_js.rs.
import assert from 'node:assert/strict';
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';

const { SITE_ORIGIN, OTHER_PORT, CHROMIUM_PATH } = process.env;
const FLAGS = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking', '--disable-sync'];
const LIBRARY = createRequire(import.meta.url).resolve('@supabase/supabase-js/dist/umd/supabase.js');
const OTHER = `http://127.0.0.1:${OTHER_PORT}`;
const STRANGER = `http://localhost:${OTHER_PORT}`;

let browser;
let server;
before(async () => {
  server = createServer((request, response) => {
    if (request.url === '/library.js') {
      response.setHeader('content-type', 'text/javascript');
      createReadStream(LIBRARY).pipe(response);
    } else {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>Another site</title><script src="/library.js"></script>');
    }
  });
  await new Promise((resolve) => server.listen(Number(OTHER_PORT), '127.0.0.1', resolve));
  browser = await chromium.launch({ executablePath: CHROMIUM_PATH, args: FLAGS });
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** A page of another origin with a client of the library, `client`. */
async function pageAt(origin) {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(`addEventListener('DOMContentLoaded', () => {
    window.client = supabase.createClient('${SITE_ORIGIN}/api', 'public-anon-key', { auth: { flowType: 'pkce' } });
  })`);
  await page.goto(origin);
  return { context, page };
}

const signIn = (page, redirectTo) =>
  page.evaluate(async (redirectTo) => {
    const options = { redirectTo, skipBrowserRedirect: true };
    const { data } = await client.auth.signInWithOAuth({ provider: 'mock', options });
    return data.url;
  }, redirectTo);

test('a site on the list signs people in, reads the board, and signs them out', async () => {
  const { context, page } = await pageAt(OTHER);
  await page.goto(await signIn(page, `${OTHER}/done`));
  const id = await page.evaluate(async () => {
    const { data } = await client.auth.getSession();
    return data.session.user.id;
  });
  const { user, refreshed, mine, board, error } = await page.evaluate(async (id) => {
    const { data: me } = await client.auth.getUser();
    const { data: next, error } = await client.auth.refreshSession();
    const mine = await client.from('profiles').select('id, tier').eq('id', id).single();
    const board = await client
      .from('profiles')
      .select('*', { count: 'exact' })
      .order('bitcoin_holdings', { ascending: false, nullsFirst: false });
    return { user: me.user, refreshed: next.session?.user.id, mine: mine.data, board, error };
  }, id);
  assert.equal(error, null);
  assert.deepEqual([user.id, refreshed, mine.id], [id, id, id]);
  assert.equal(board.error, null);
  assert.ok(board.data.some((row) => row.id === id));
  assert.equal(board.count, board.data.length, 'the range may be read');
  // The session is that site's own: our pages' cookie is not involved.
  assert.deepEqual(await context.cookies(SITE_ORIGIN), []);
  assert.deepEqual(await page.evaluate(() => client.auth.signOut()), { error: null });
  assert.equal(await page.evaluate(async () => (await client.auth.getSession()).data.session), null);
  await context.close();
});

test('any site can read the board, and no other site can sign a user in', async () => {
  const { context, page } = await pageAt(STRANGER);
  const { read, written, user } = await page.evaluate(async () => {
    const read = await client.from('profiles').select('id').limit(1);
    const written = await client.from('profiles').upsert({ id: 'satoshi', tier: 'free' });
    const user = await client.auth.getUser('a.b.c');
    return { read, written, user };
  });
  assert.equal(read.error, null);
  assert.ok(read.data.length > 0);
  assert.match(written.error.message, /Failed to fetch/);
  assert.match(user.error.message, /Failed to fetch/);
  const document = await page.evaluate(async (origin) => {
    const answer = await fetch(`${origin}/api/openapi.json`);
    return answer.json();
  }, SITE_ORIGIN);
  assert.ok(document.paths['/api/rest/v1/profiles']);
  await context.close();
});

test('missing rows get the responses that PostgREST gives', async () => {
  const { context, page } = await pageAt(STRANGER);
  const { single, maybe, nonsense } = await page.evaluate(async () => {
    const nobody = () => client.from('profiles').select('tier').eq('id', '00000000-0000-4000-8000-000000000000');
    const single = await nobody().single();
    const maybe = await nobody().maybeSingle();
    const nonsense = await client.from('profiles').select('password');
    return { single, maybe, nonsense };
  });
  assert.equal(single.status, 406);
  assert.equal(single.error.code, 'PGRST116');
  assert.equal(single.error.details, 'The result contains 0 rows');
  assert.equal(single.error.hint, null);
  assert.deepEqual([maybe.error, maybe.data], [null, null]);
  assert.equal(nonsense.error.code, 'invalid-query');
  assert.ok(nonsense.error.message.includes("no column 'password'"), nonsense.error.message);
  await context.close();
});
