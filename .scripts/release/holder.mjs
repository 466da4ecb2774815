// holder.mjs first|again ORIGIN PROVIDERS PACKAGE FILE: what a holder does at a board in production mode: signs in with X, makes a proof with the npm
// package in the folder PACKAGE, signs it with a wallet of the node at $NODE_RPC, submits it and sees a rank. `again` looks after a
// restart: the session of FILE goes on, and the rank is still there.
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [when, origin, providers, folder, kept] = process.argv.slice(2);
const api = `${origin}/api`;
const cookies = new Map();

/** A call to the node, or to its wallet. */
async function rpc(method, ...params) {
  const answer = await fetch(`${process.env.NODE_RPC}/wallet/holder`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa('test:test')}` },
    body: JSON.stringify({ id: 0, method, params }),
  });
  const { result, error } = await answer.json();
  assert.equal(error, null, method);
  return result;
}

/** Asks again until it is so. Who waits for it in vain is ended by ./test. */
async function until(what, look) {
  for (;;) {
    const found = await look().catch(() => undefined);
    if (found !== undefined) return found;
    process.stderr.write('');
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

async function ask(path, { token, body, ...more } = {}) {
  const headers = { ...(token && { authorization: `Bearer ${token}` }), ...(body && { 'content-type': 'application/json' }), ...more };
  const answer = await fetch(`${api}${path}`, { method: body ? 'POST' : 'GET', headers, ...(body && { body: JSON.stringify(body) }) });
  const said = await answer.json();
  assert.equal(answer.status, 200, `${path}: ${JSON.stringify(said)}`);
  for (const header of answer.headers.getSetCookie()) keep(header);
  return said;
}

function keep(header) {
  const [, name, value] = /^([^=]+)=([^;]*)/.exec(header);
  cookies.set(name, value);
}

async function signIn() {
  const steer = { provider: 'twitter', person: { id: '2244994945', name: 'Hal', username: 'hal' } };
  assert.ok((await fetch(providers, { method: 'POST', body: JSON.stringify(steer) })).ok);
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const begin = new URLSearchParams({ provider: 'twitter', code_challenge: challenge, code_challenge_method: 's256' });
  let address = `${api}/auth/v1/authorize?${begin}`;
  while (!address.startsWith(`${origin}/auth/callback`)) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(address, { redirect: 'manual', headers: { cookie } });
    for (const header of answer.headers.getSetCookie()) keep(header);
    assert.ok(answer.headers.has('location'), `${answer.status} at ${address}`);
    address = new URL(answer.headers.get('location'), address).href;
  }
  const code = new URL(address).searchParams.get('code');
  assert.ok(code, address);
  const session = await ask('/auth/v1/token?grant_type=pkce', { body: { auth_code: code, code_verifier: verifier } });
  console.log(`ok: signed in with X as ${session.user.user_metadata.user_name}`);
  return session;
}

async function prove({ access_token: token, user }) {
  const { makeProof } = await import(pathToFileURL(join(folder, 'node.js')).href);
  await until('the node', () => rpc('getblockchaininfo'));
  await rpc('createwallet', 'holder');
  const address = await rpc('getnewaddress', '', 'bech32');
  await rpc('generatetoaddress', 110, address);
  const { psbt } = await rpc('walletcreatefundedpsbt', [], [{ [address]: 40 }], 0, { fee_rate: 1 });
  const { statement } = await until('a synced node', () => ask('/functions/v1/proof-challenge', { token }));
  const made = await makeProof(Buffer.from(psbt, 'base64'), { statement, form: 'transaction' });
  const signed = await rpc('walletprocesspsbt', Buffer.from(made.psbt).toString('base64'));
  assert.equal(signed.complete, true);
  const proof = { psbtBase64: signed.psbt, utxos: [], file_name: 'coins.psbt', publish: true };
  const said = await until('a proof', () => ask('/functions/v1/submit-proof', { token, body: proof }));
  console.log(`ok: proved ${made.amountSats} sats: ${said.status}`);
  return user.id;
}

async function look(id) {
  assert.deepEqual(await ask(`/functions/v1/getUserRank/${id}`), { rank: 1 });
  const page = await (await fetch(`${origin}/leaderboard`)).text();
  assert.match(page, /hal/);
  console.log('ok: rank 1, and a row on the page');
}

if (when === 'first') {
  const session = await signIn();
  const id = await prove(session);
  await look(id);
  writeFileSync(kept, JSON.stringify({ id, refresh: session.refresh_token }), { mode: 0o600 });
} else {
  const { id, refresh } = JSON.parse(readFileSync(kept, 'utf8'));
  const session = await ask('/auth/v1/token?grant_type=refresh_token', { body: { refresh_token: refresh } });
  assert.equal(session.user.id, id);
  console.log('ok: the session outlived the restart');
  await look(id);
}
