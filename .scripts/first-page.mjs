// first-page.mjs PROGRAM, for .scripts/first-page.sh: servers are begun, first without a database and then on that one, and asked for one address
// each as soon as they listen.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const GOOD_MS = 1_000;
const ROUNDS = 5;
const START_MS = 60_000;

const root = new URL('..', import.meta.url);
const program = process.argv[2];
const script = /\/assets\/[\w.-]+\.js/.exec(readFileSync(new URL('web/dist/index.html', root), 'utf8'))?.[0];
if (!program || !script) throw new Error('.scripts/first-page.sh runs this.');

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });

const accepts = (port) =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true) || socket.destroy()).on('error', () => resolve(false));
  });

/** Resolves when the server listens, and fails when it ends before. */
async function listens(server, port) {
  for (const begin = Date.now(); Date.now() - begin < START_MS; ) {
    if (server.exitCode !== null) throw new Error(`The server ended with status ${server.exitCode}.`);
    if (await accepts(port)) return;
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  throw new Error('The server did not listen.');
}

/** From the moment at which it listens to the last byte of its first answer, in milliseconds. */
async function firstAnswer(path, folder) {
  const port = await freePort();
  const env = { ...process.env, APP_ENV: 'development', LISTEN: `127.0.0.1:${port}`, DATABASE_URL: `sqlite:${join(folder, 'first.sqlite')}`, LOG: 'error' };
  const server = spawn(program, { env, cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] });
  const ended = new Promise((resolve) => server.once('exit', resolve));
  try {
    await listens(server, port);
    const begin = performance.now();
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'Accept-Encoding': 'br' } });
    await answer.arrayBuffer();
    const took = performance.now() - begin;
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    return took;
  } finally {
    server.kill();
    await ended;
  }
}

let good = true;
for (const path of ['/', '/leaderboard', '/verify', script]) {
  const folder = mkdtempSync(join(tmpdir(), 'first-page-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const times = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await firstAnswer(path, folder));
  const slowest = Math.max(...times);
  good &&= slowest < GOOD_MS;
  console.log(`${path.padEnd(40)} ${times.map((time) => time.toFixed(0).padStart(5)).join('')} ms   ${slowest < GOOD_MS ? 'good' : 'not within a second'}`);
}
process.exitCode = good ? 0 : 1;
