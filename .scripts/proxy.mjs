// proxy.mjs ORIGIN PLAIN: what a proxy in front of a server in development mode must do, looked at from outside.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const [origin, plain] = process.argv.slice(2);
const API = `${origin}/api`;

async function patient(address) {
  for (;;) {
    try {
      return await fetch(address, { redirect: 'manual' });
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

function signIn() {
  const script = fileURLToPath(new URL('sign-in.mjs', import.meta.url));
  return execFileSync(process.execPath, [script, origin], { encoding: 'utf8' }).trim();
}

const healthy = await patient(`${origin}/healthz`);
assert.equal(healthy.status, 200);
assert.ok(healthy.headers.get('strict-transport-security'));
const moved = await patient(`${plain}/leaderboard`);
assert.equal(moved.status, 301);
console.log('ok: TLS, and a way to it');

// An event comes long before the server would say something anyway, which is after 15 seconds.
const stream = await fetch(`${API}/rest/v1/profiles/changes`);
const reader = stream.body.pipeThrough(new TextDecoderStream()).getReader();
let said = (await reader.read()).value;
const token = signIn();
const begun = Date.now();
while (!said.includes('event: change')) said += (await reader.read()).value;
assert.ok(Date.now() - begun < 5_000, said);
await reader.cancel();
console.log('ok: live changes come at once');

const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
const submit = (length) =>
  fetch(`${API}/functions/v1/submit-proof`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ psbtBase64: 'A'.repeat(length), utxos: [], file_name: 'a.psbt' }),
  });
const refused = await submit(2_000_000);
assert.equal(refused.status, 400);
assert.match(refused.headers.get('x-request-id'), /^[0-9a-f]{32}$/, 'an id of nginx');
assert.equal((await submit(3_500_000)).status, 413);
console.log('ok: files of 2 MB come through, larger ones do not; requests have the id of the proxy');
