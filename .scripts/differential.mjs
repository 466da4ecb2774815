// differential.mjs OLD NEW: sends one list of requests to two builds of the server, and prints each difference in status, headers and body.
// The list: the requests of server/api/tests/it/exchanges, and every route of hostile/routes.txt with each value of values.txt and each body of
// bodies.txt. Both servers run in development mode on a new SQLite file. The status is 1 when there is a difference.
import { spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const TESTS = join(dirname(fileURLToPath(import.meta.url)), '../server/api/tests/it');
// Different by nature: times, ids and what is made from them. Patterns that match the random ids of users may still differ by chance.
const VARIABLE_HEADERS = ['date', 'etag', 'content-length', 'last-modified', 'set-cookie', 'x-request-id', 'content-security-policy', 'board-number'];

const [oldProgram, newProgram] = process.argv.slice(2);
if (!newProgram) throw new Error('usage: node .scripts/differential.mjs OLD NEW, two programs of the server');

const scratch = await mkdtemp(join(tmpdir(), 'differential-'));
const servers = [];
let different = 0;
try {
  for (const [index, program] of [oldProgram, newProgram].entries()) servers.push(await start(program, index));
  const requests = [...(await exchanges()), ...(await hostile())];
  for (const [number, request] of requests.entries()) {
    const [before, after] = await Promise.all(servers.map((server) => send(server, request, number)));
    if (before === after) continue;
    different += 1;
    console.log(`${request.method} ${request.target.slice(0, 160)} ${request.body?.slice(0, 80) ?? ''}\n${changedLines(before, after)}`);
  }
  console.log(`${requests.length} requests, ${different} different`);
} finally {
  for (const server of servers) server.process.kill();
  await rm(scratch, { recursive: true, force: true });
}
process.exit(different ? 1 : 0);

// A server with two mock users: the one that sends, and another.
async function start(program, index) {
  const port = await freePort();
  const environment = { ...process.env, APP_ENV: 'development', LISTEN: `127.0.0.1:${port}` };
  environment.DATABASE_URL = `sqlite:${join(scratch, `${index}.sqlite`)}`;
  environment.TRUSTED_PROXIES = '127.0.0.1';
  const child = spawn(program, { env: environment, cwd: join(TESTS, '../../../..'), stdio: 'ignore' });
  const server = { process: child, port };
  for (let tries = 0; ; tries += 1) {
    const response = await send(server, { method: 'GET', target: '/api', headers: {} }, 0).catch(() => '');
    if (response.startsWith('status 200')) break;
    if (tries === 300 || child.exitCode !== null) throw new Error(`${program} does not answer`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  // Rows are in the order of ids, which are random.
  [server.me, server.other] = [await signIn(server), await signIn(server)].sort((one, two) => (one.id < two.id ? -1 : 1));
  return server;
}

async function signIn({ port }) {
  const origin = `http://127.0.0.1:${port}`;
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const authorize = `${origin}/api/auth/v1/authorize?provider=mock&code_challenge=${challenge}&code_challenge_method=s256`;
  const redirect = await fetch(authorize, { redirect: 'manual' });
  const code = new URL(redirect.headers.get('location')).searchParams.get('code');
  const response = await fetch(`${origin}/api/auth/v1/token?grant_type=pkce`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ auth_code: code, code_verifier: verifier }),
  });
  const session = await response.json();
  return { id: session.user.id, name: `user_${session.user.id.slice(0, 5)}`, token: session.access_token };
}

// The requests of exchanges/*.txt: lines "METHOD target" (several share what follows), then "> header: value" or "> body".
async function exchanges() {
  const requests = [];
  for (const file of ['visitors.txt', 'board.txt', 'user.txt', 'holder.txt']) {
    const text = await readFile(join(TESTS, 'exchanges', file), 'utf8');
    for (const block of text.split(/\n\s*\n/)) {
      const lines = block.split('\n').filter((line) => !line.startsWith('#'));
      const headers = {};
      let body;
      for (const line of lines.filter((it) => it.startsWith('> '))) {
        const [, name, value] = /^> ([a-z-]+): ?(.*)$/.exec(line) ?? [];
        if (name) headers[name] = value;
        else body = line.slice(2);
      }
      for (const line of lines) {
        const [, method, target] = /^([A-Z]+) (\S+)$/.exec(line) ?? [];
        if (method) requests.push({ method, target, headers, body });
      }
    }
  }
  return requests;
}

async function hostile() {
  const read = async (name) => readFile(join(TESTS, 'hostile', name), 'utf8');
  const values = (await read('values.txt')).split(/\s+/).filter(Boolean);
  const bodies = (await read('bodies.txt')).split('\n').filter(Boolean);
  const requests = [];
  for (const line of (await read('routes.txt')).split('\n').filter(Boolean)) {
    const [sender, method, template] = line.split(' ');
    // These end the session that all later requests use.
    if (/logout|delete-account/.test(template)) continue;
    const headers = sender === 'user' ? { authorization: 'Bearer {as_hal}' } : {};
    // `{}`, or an ordinary value in brackets, is where each value goes.
    if (/\{\}|\[/.test(template)) {
      for (const value of values) requests.push({ method, target: template.replaceAll(/\{\}|\[[^\]]*\]/g, () => value), headers });
    } else {
      const json = { ...headers, 'content-type': 'application/json' };
      for (const body of bodies) requests.push({ method, target: template, headers: json, body });
    }
  }
  return requests;
}

// The response as text, without what differs by nature. Each request comes from its own network, so no limit hides a response.
async function send({ port, me = {}, other = {} }, request, number) {
  const names = { me: me.id, hal: me.id, as_hal: me.token, hal_name: me.name, token: me.token, other: other.id, eve: other.id, as_eve: other.token };
  const fill = (text) => text?.replace(/\{(\w+)\}/g, (whole, name) => names[name] ?? whole);
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, fill(value)]));
  headers['x-forwarded-for'] = `10.${(number >> 8) & 255}.${number & 255}.1`;
  if (request.body && !headers['content-type']) headers['content-type'] = 'application/json';
  const body = fill(request.body);
  if (body) headers['content-length'] = Buffer.byteLength(body);
  return new Promise((resolve, reject) => {
    const sent = http.request({ host: '127.0.0.1', port, method: request.method, path: fill(request.target), headers, agent: false }, (response) => {
      const chunks = [];
      const done = () => resolve(normal(response, Buffer.concat(chunks).toString('latin1'), names));
      response.on('data', (chunk) => {
        chunks.push(chunk);
        // A stream of changes never ends.
        if (/event-stream/.test(response.headers['content-type'])) {
          response.destroy();
          done();
        }
      });
      response.on('end', done);
      response.on('error', done);
    });
    sent.on('error', (error) => (error.code === 'ECONNREFUSED' ? reject(error) : resolve(`no response: ${error.code}`)));
    sent.end(body);
  });
}

function normal(response, body, names) {
  const headers = Object.entries(response.headers).filter(([name]) => !VARIABLE_HEADERS.includes(name));
  const text = [`status ${response.statusCode}`, ...headers.map(([name, value]) => `${name}: ${value}`).sort(), ...body.split(/(?<=[,>])/)].join('\n');
  const known = Object.entries(names).filter(([, value]) => value);
  const named = known.reduce((all, [name, value]) => all.replaceAll(value, `{${name}}`), text);
  return named
    .replace(/\b127\.0\.0\.1:\d+/g, '{host}')
    .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, '{uuid}')
    .replace(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, '{time}')
    .replace(/-[\w-]{8}\.(js|css|woff2|wasm|svg)/g, '-{hash}.$1')
    .replace(/(number"?:) ?\d+/g, '$1 {number}')
    .replace(/^(index |id: )?\d+$/gm, '{place in the log}')
    .replace(/\buser_[0-9a-f]{5}\b/g, '{user}')
    .replace(/[\w+/=-]{40,}/g, '{long}')
    .replace(/(Proof of Reserves \{host\}) .*?(?=["<])/g, '$1 {name and code}');
}

function changedLines(before, after) {
  const [old, now] = [before, after].map((text) => text.split('\n'));
  const gone = old.filter((line) => !now.includes(line)).slice(0, 8);
  const come = now.filter((line) => !old.includes(line)).slice(0, 8);
  return [...gone.map((line) => `  - ${line.slice(0, 160)}`), ...come.map((line) => `  + ${line.slice(0, 160)}`)].join('\n');
}

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
