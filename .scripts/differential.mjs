// differential.mjs OLD NEW [CAUSES]: sends one list of requests to two builds of the server, and compares status, headers and body.
// The list: the requests of server/api/tests/it/exchanges, and every route of hostile/routes.txt with each value of values.txt and each body of
// bodies.txt. Both servers run in development mode on a new SQLite file.
//
// CAUSES (differential.json beside this file) names what was meant to change since a commit: `requests` to addresses that are gone, and `causes`. A cause
// is { cause, requests, lines }, where `requests` matches "METHOD target body" and `lines` a line that is gone ("- …") or new ("+ …"); without one of
// them it matches all. Prints how many responses each cause has changed, and each response with a line that no cause explains; then the
// status is 1.
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

const [oldProgram, newProgram, causesFile] = process.argv.slice(2);
if (!newProgram) throw new Error('usage: node .scripts/differential.mjs OLD NEW [CAUSES], two programs of the server and a list of causes');
const { causes, requests: gone } = causesFile ? JSON.parse(await readFile(causesFile, 'utf8')) : { causes: [], requests: [] };
const counts = new Map(causes.map(({ cause }) => [cause, 0]));

const scratch = await mkdtemp(join(tmpdir(), 'differential-'));
const servers = [];
let [different, unknown] = [0, 0];
try {
  for (const [index, program] of [oldProgram, newProgram].entries()) servers.push(await start(program, index));
  const requests = [...(await exchanges()), ...(await hostile()), ...gone.map(parsed)];
  for (const [number, request] of requests.entries()) {
    const [before, after] = await Promise.all(servers.map((server) => send(server, request, number)));
    if (before === after) continue;
    different += 1;
    const unexplained = explain(request, changedLines(before, after));
    if (unexplained.length === 0) continue;
    unknown += 1;
    const shown = unexplained.slice(0, 16).map((line) => `  ${line.slice(0, 160)}\n`);
    console.log(`${request.method} ${request.target.slice(0, 160)} ${request.body?.slice(0, 80) ?? ''}\n${shown.join('')}`);
  }
  for (const [cause, count] of counts) console.log(`${String(count).padStart(5)} ${cause}`);
  console.log(`${requests.length} requests, ${different} different, ${unknown} unexplained`);
} finally {
  for (const server of servers) server.process.kill();
  await rm(scratch, { recursive: true, force: true });
}
process.exit(unknown ? 1 : 0);

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

function parsed(request) {
  const [method, target] = request.split(' ');
  return { method, target, headers: {} };
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
      const done = () => resolve(normal(response, textOf(response, Buffer.concat(chunks)), names));
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

// Bytes other than text are hashes and pictures of what differs by nature.
function textOf(response, body) {
  const isText = /text|json|xml|javascript|svg/.test(response.headers['content-type'] ?? 'text');
  return isText ? body.toString() : '{bytes}';
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
    // The path of a receipt is as long as the log, which each server adds to in its own time.
    .replace(/(\{long\}\n)+/g, '{long}\n')
    .replace(/(Proof of Reserves \{host\}) .*?(?=["<])/g, '$1 {name and code}');
}

function changedLines(before, after) {
  const [old, now] = [before, after].map((text) => text.split('\n'));
  const went = old.filter((line) => !now.includes(line));
  const come = now.filter((line) => !old.includes(line));
  const changed = [...went.map((line) => `- ${line}`), ...come.map((line) => `+ ${line}`)];
  return changed.length > 0 ? changed : ['+ the same lines in another order'];
}

// Counts the causes of these lines, and returns those without one.
function explain(request, lines) {
  const asked = `${request.method} ${request.target} ${request.body ?? ''}`;
  const able = causes.filter(({ requests }) => !requests || new RegExp(requests).test(asked));
  const found = new Set();
  const unexplained = lines.filter((line) => {
    const cause = able.find((it) => !it.lines || new RegExp(it.lines).test(line));
    if (cause) found.add(cause.cause);
    return !cause;
  });
  for (const cause of found) counts.set(cause, counts.get(cause) + 1);
  return unexplained;
}

function freePort() {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
