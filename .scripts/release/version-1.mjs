// version-1.mjs SERVER FOLDER: runs this program of the server in development mode, lets two users prove coins, one of them in public, and keeps what it
// wrote: the database, the log's folder, a receipt, a proof file, the rows. Once, for 1.0.0: server/api/tests/version-1, which every later
// version must read (server/api/tests/it/version_1.rs).
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [program, folder] = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'version-1-'));
const signIn = fileURLToPath(new URL('../sign-in.mjs', import.meta.url));

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  return port;
}

const address = `127.0.0.1:${await freePort()}`;
const origin = `http://${address}`;
const server = spawn(program, [], {
  env: {
    ...process.env,
    APP_ENV: 'development',
    LISTEN: address,
    // Statements and the log contain the address, so it must be the same for the tests that read them later on another port.
    PUBLIC_URL: 'http://localhost:8080',
    DATABASE_URL: `sqlite:${join(scratch, 'board.sqlite')}`,
    PUBLISHED_LOG: join(scratch, 'log'),
    PRICE_URL: 'none',
    SAMPLES: 'off',
  },
  stdio: ['ignore', 'ignore', 'inherit'],
});

/** Asks again until it is so. */
async function until(look) {
  for (;;) {
    if (server.exitCode !== null) throw new Error('the server has ended');
    const found = await look().catch(() => undefined);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

const text = async (path, headers = {}) => {
  const answer = await fetch(`${origin}${path}`, { headers });
  const said = await answer.text();
  assert.equal(answer.status, 200, `${path}: ${said}`);
  return said;
};
const size = async () => Number((await text('/log/checkpoint')).split('\n')[1]);
const holder = () => {
  const token = execFileSync(process.execPath, [signIn, origin], { encoding: 'utf8' }).trim();
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
};

async function proves(headers, name, publish) {
  const samples = JSON.parse(await text('/api/functions/v1/development-samples', headers));
  const sample = samples.find(({ file_name }) => file_name === name);
  const body = JSON.stringify({ psbtBase64: sample.psbt_base64, utxos: [], file_name: name, publish });
  const answer = await fetch(`${origin}/api/functions/v1/submit-proof`, { method: 'POST', headers, body });
  const said = await answer.json();
  assert.equal(answer.status, 200, JSON.stringify(said));
  assert.equal(said.published ?? false, publish);
}

try {
  await until(() => text('/readyz'));
  const before = await until(size);
  const [one, other] = [holder(), holder()];
  await proves(one, 'self-transfer.psbt', true);
  await proves(other, 'wallet_verification.psbt', false);
  const receipt = await until(() => text('/api/functions/v1/receipt', one));
  assert.ok((await size()) > before);
  const { proofs } = JSON.parse(await text('/api/functions/v1/proofs'));
  const kept = {
    'rows.json': await text('/api/rest/v1/profiles'),
    'proof.json': await text(`/api/functions/v1/proofs/${proofs[0].id}`),
    'checkpoint.txt': await text('/log/checkpoint'),
    'key.txt': await text('/log/key'),
    'receipt.tlog-proof': receipt,
  };
  server.kill('SIGTERM');
  await once(server, 'exit');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [name, content] of Object.entries(kept)) writeFileSync(join(folder, name), content);
  cpSync(join(scratch, 'log'), join(folder, 'log'), { recursive: true, filter: (path) => !path.endsWith('lock') });
  cpSync(join(scratch, 'board.sqlite'), join(folder, 'board.db'));
} finally {
  server.kill('SIGKILL');
  rmSync(scratch, { recursive: true, force: true });
}
