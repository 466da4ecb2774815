import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { watch } from './files.mjs';
import { Program } from './program.mjs';

test('files that are created, saved and removed are reported once each', async (t) => {
  const base = await mkdtemp(join(tmpdir(), 'watch-'));
  t.after(() => rm(base, { recursive: true }));
  const folder = join(base, 'watched');
  const elsewhere = join(base, 'elsewhere');
  const [kept, file, later] = ['kept', 'file', 'below/later'].map((name) => join(folder, name));
  await mkdir(join(folder, 'below'), { recursive: true });
  for (const name of [kept, file, elsewhere]) await writeFile(name, 'one');
  const stop = new AbortController();
  const changes = await watch([folder, join(folder, 'nowhere')], stop.signal, 5);

  // In one go, where writing a file would be two changes.
  await rename(elsewhere, later);
  assert.deepEqual((await changes.next()).value, [later]);
  await utimes(file, 1, 1);
  assert.deepEqual((await changes.next()).value, [file]);
  await rm(file);
  assert.deepEqual((await changes.next()).value, [file]);
  stop.abort();
  assert.equal((await changes.next()).done, true);
});

test('a program is restarted, and requests that wait for it wait for the new one', async (t) => {
  const socket = createServer().listen(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port } = socket.address();
  socket.close();
  await once(socket, 'close');
  const address = `http://127.0.0.1:${port}/`;
  const source = `require('node:http').createServer((_, answer) => answer.end(String(process.pid))).listen(${port}, '127.0.0.1')`;
  const program = new Program([process.execPath, '-e', source], { stdio: 'ignore' }, address);
  t.after(() => program.stop());

  assert.equal(await program.restart(), true);
  const first = await (await fetch(address)).text();
  void program.restart();
  assert.equal(await program.ready, true);
  const second = await (await fetch(address)).text();
  assert.notEqual(first, second);
  await program.stop();
  await assert.rejects(fetch(address));
});

test('a program that ends at once is not waited for', async () => {
  const program = new Program([process.execPath, '-e', 'process.exit(1)'], { stdio: 'ignore' }, 'http://127.0.0.1:9/');
  assert.equal(await program.restart(), false);
  const none = new Program(['/nowhere/at/all'], { stdio: 'ignore' }, 'http://127.0.0.1:9/');
  assert.equal(await none.restart(), false);
});
