// hour.mjs ORIGIN METRICS SECONDS: load on a server in development mode with many holders, for SECONDS. Prints what it has measured, and
// ends with status 1 when memory or files grow, reads are slow, or a submission is refused.
import { Agent, request } from 'node:http';
import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';

const [origin, metrics, seconds] = process.argv.slice(2);
const HOLDERS = 100_000;
const VISITORS = 50;
const SUBMISSIONS = 100;
/** Between two requests of a visitor, in milliseconds: together they read two hundred times a second. */
const PAUSE = 250;
const SLOWEST = 100;

const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const begin = Date.now();
const share = () => (Date.now() - begin) / (Number(seconds) * 1000);

/** Sends a request from an address of its own network: status, headers and text of the answer. */
function ask(path, { sender = 1, method = 'GET', headers = {}, body } = {}) {
  return new Promise((resolve, reject) => {
    const from = { 'x-forwarded-for': `10.${sender >> 8}.${sender & 255}.1`, ...headers };
    if (body) from['content-type'] = 'application/json';
    const asked = request(`${origin}${path}`, { agent, method, headers: from }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => (text += part));
      answer.on('end', () => resolve({ status: answer.statusCode, headers: answer.headers, text }));
    });
    asked.on('error', reject).end(body && JSON.stringify(body));
  });
}

const times = [];
const refused = [];

const READS = [
  () => `/api/rest/v1/profiles?order=bitcoin_holdings.desc.nullslast&limit=100`,
  (n) => `/api/rest/v1/profiles?order=bitcoin_holdings.desc.nullslast&limit=100&offset=${n % 5000}`,
  (n) => `/api/rest/v1/profiles?username=ilike.*${n % HOLDERS}*&limit=100`,
  (n) => `/api/rest/v1/profiles?username=eq.holder_${(n % HOLDERS) + 1}`,
  () => '/leaderboard',
  () => '/api/functions/v1/board-summary',
];

async function visit(visitor) {
  for (let number = visitor; share() < 1; number += 104_729) {
    const path = READS[number % READS.length](number);
    const asked = performance.now();
    const { status } = await ask(path, { sender: visitor });
    times.push(performance.now() - asked);
    if (status !== 200) refused.push(`${path}: ${status}`);
    await pause(PAUSE);
  }
}

async function signIn(sender) {
  const verifier = randomBytes(32).toString('base64url');
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const path = `/api/auth/v1/authorize?provider=mock&code_challenge=${challenge}&code_challenge_method=s256`;
  const redirect = await ask(path, { sender });
  const code = new URL(redirect.headers.location).searchParams.get('code');
  const body = { auth_code: code, code_verifier: verifier };
  const session = await ask('/api/auth/v1/token?grant_type=pkce', { sender, method: 'POST', body });
  return JSON.parse(session.text).access_token;
}

let accepted = 0;

/** Users sign in and submit one after the other, evenly over the whole time. */
async function submit() {
  for (let number = 0; number < SUBMISSIONS; number++) {
    while (share() < number / SUBMISSIONS) await pause(20);
    const sender = 1000 + number;
    const headers = { authorization: `Bearer ${await signIn(sender)}` };
    const samples = JSON.parse((await ask('/api/functions/v1/development-samples', { sender, headers })).text);
    const { psbt_base64: psbtBase64, file_name } = samples.find((it) => it.file_name === 'self-transfer.psbt');
    const body = { psbtBase64, utxos: [], file_name, publish: number % 3 === 0 };
    const answer = await ask('/api/functions/v1/submit-proof', { sender, method: 'POST', headers, body });
    if (answer.status === 200) accepted++;
    else refused.push(`a submission: ${answer.status} ${answer.text}`);
    if (number % 2) await ask('/api/functions/v1/delete-account', { sender, method: 'POST', headers, body: {} });
  }
}

/** Memory in MiB and open files, every so often. */
const measured = [];
async function measure() {
  while (share() < 1) {
    const page = await (await fetch(metrics)).text();
    const value = (name) => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(page)[1]);
    measured.push([value('process_resident_memory_bytes') / 2 ** 20, value('process_open_fds')]);
    await pause(Math.max(500, Number(seconds) * 5));
  }
}

const visitors = Array.from({ length: VISITORS }, (_, visitor) => visit(visitor + 1));
await Promise.all([...visitors, submit(), measure()]);
agent.destroy();

// The first fifth warms caches up.
const [early, late] = [measured.slice(measured.length / 5, (measured.length * 2) / 5), measured.slice((measured.length * 4) / 5)];
const most = (list, at) => Math.max(...list.map((it) => it[at]));
/** A connection has a file while it is open, and a busy moment has more of them; a file that nobody closes is there at the quietest moment too. */
const fewest = (list) => Math.min(...list.map(([, files]) => files));
times.sort((one, other) => one - other);
const p99 = times[Math.floor(times.length * 0.99)];
const lines = [
  ['memory, the second fifth and the last', '+10 %', `${most(early, 0).toFixed(0)} and ${most(late, 0).toFixed(0)} MiB`, most(late, 0) <= most(early, 0) * 1.1],
  ['open files at the quietest moment, the same', '+10', `${fewest(early)} and ${fewest(late)}`, fewest(late) <= fewest(early) + 10],
  [`p99 of ${times.length} reads`, `${SLOWEST} ms`, `${p99.toFixed(0)} ms`, p99 <= SLOWEST],
  ['submissions', `${SUBMISSIONS} of ${SUBMISSIONS}`, `${accepted} of ${SUBMISSIONS}`, accepted === SUBMISSIONS],
  ['refused reads', '0', `${refused.length}`, refused.length === 0],
];
console.log(`| ${HOLDERS} holders, ${seconds} s | goal | reached | |\n| --- | --- | --- | --- |`);
for (const [what, goal, reached, good] of lines) console.log(`| ${what} | ${goal} | ${reached} | ${good ? 'yes' : '**no**'} |`);
for (const line of refused.slice(0, 5)) console.log(line);
process.exitCode = lines.every((line) => line[3]) ? 0 : 1;
