// @vitest-environment node
import { sha256 } from '@noble/hashes/sha2.js';
import { expect, it, vi } from 'vitest';
import { toBase64 } from '../bytes';
import { isOfHost, logAddress } from './address';
import { followKeys, keepLog, keptLog, keysOf, look, trustedKeys, verifiedCheckpoint, type LogSource, type Seen } from './checkpoints';
import { LogError } from './log-error';

const bytes = (text: string) => new TextEncoder().encode(text);

const HOST = 'board.example';

const joined = (...parts: Uint8Array[]) => Uint8Array.from(parts.flatMap((part) => Array.from(part)));

/** The root of a tree, as RFC 6962 defines it. */
function root(leaves: Uint8Array[]): Uint8Array {
  if (leaves.length === 1 && leaves[0]) return leaves[0];
  let middle = 1;
  while (middle * 2 < leaves.length) middle *= 2;
  return sha256(joined(Uint8Array.of(1), root(leaves.slice(0, middle)), root(leaves.slice(middle))));
}

/** A log's key, which signs notes under this name. */
async function signer(name: string) {
  const pair = await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify']);
  const key = joined(Uint8Array.of(1), new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)));
  const id = sha256(joined(bytes(`${name}\n`), key)).slice(0, 4);
  const hex = Array.from(id, (byte) => byte.toString(16).padStart(2, '0')).join('');
  const line = async (text: string) => {
    const signature = new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, bytes(text)));
    return `\u2014 ${name} ${toBase64(joined(id, signature))}\n`;
  };
  return { key: `${name}+${hex}+${toBase64(key)}`, line, pair };
}

type Signer = Awaited<ReturnType<typeof signer>>;

/** A log as a server shows it, computed independently of the code that checks it. */
async function log(
  entries: string[],
  by: Signer,
  { origin = `${HOST}/log`, rotations = [] as string[], address = '' } = {},
): Promise<LogSource> {
  const leaves = entries.map((entry) => sha256(joined(Uint8Array.of(0), bytes(entry))));
  const body = `${origin}\n${entries.length}\n${toBase64(root(leaves))}\n`;
  const texts: Record<string, string> = {
    checkpoint: `${body}\n${await by.line(body)}`,
    key: `${by.key}\n`,
    rotations: JSON.stringify(rotations),
  };
  const tile = (level: number, index: number) => {
    const span = 256 ** level;
    const hashes = [];
    for (let at = index * 256; at < (index + 1) * 256 && (at + 1) * span <= leaves.length; at += 1) {
      hashes.push(root(leaves.slice(at * span, (at + 1) * span)));
    }
    return joined(...hashes);
  };
  return {
    host: HOST,
    address: address || origin.slice(origin.indexOf('/')),
    text: async (path) => texts[path] ?? '',
    bytes: async (path) => {
      const [, kind, place] = path.split(/\/(?!x)/);
      const index = Number((place ?? '').replace('.p', ''));
      if (kind !== 'entries') return tile(Number(kind), index);
      const parts = entries.slice(0, 256).map((entry) => joined(Uint8Array.of(bytes(entry).length >> 8, bytes(entry).length & 255), bytes(entry)));
      return joined(...parts);
    },
  };
}

const begin = (number: number) => JSON.stringify({ kind: 'begin', log: number, time: '2026-11-28T00:00:00Z', because: 'A disk was lost.' });

const entries = (count: number) => Array.from({ length: count }, (_, number) => JSON.stringify({ number }));

const key = await signer('board.example/log');

async function seen(count: number): Promise<Seen> {
  const first = await look(await log(entries(count), key), null);
  if (first.goesOn !== true) throw new Error('not seen');
  return first.seen;
}

it.each([1, 2, 3, 7, 8, 255, 256, 257, 600])('goes on from %i entries when the log has only grown', async (count) => {
  const before = await seen(count);
  for (const more of [0, 1, 5, 300]) {
    const now = await look(await log(entries(count + more), key), before);
    expect(now.goesOn, `${count} + ${more}`).toBe(true);
  }
});

it('notices every rewritten history', async () => {
  const before = await Promise.all([2, 3, 7, 100, 256, 257, 300].map(async (count) => ({ count, kept: await seen(count) })));
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const { count, kept } = before[attempt % before.length]!;
    const changed = entries(count + (attempt % 50));
    const at = (attempt * 31) % count;
    if (attempt % 3 === 0) changed[at] = 'another';
    else if (attempt % 3 === 1) changed.splice(at, 1);
    else changed.splice(at, 0, 'another');
    const now = await look(await log(changed, key), kept);
    expect(now.goesOn, String(attempt)).toBe(false);
  }
});

it('recognizes a restarted log, and gives the reason of its operator', async () => {
  const name = 'board.example/log/2';
  const restarted = await log([begin(2)], await signer(name), { origin: name });
  const now = await look(restarted, await seen(5));
  expect(now).toMatchObject({ goesOn: false, newLog: 'A disk was lost.' });
});

it('tells a checkpoint that has lost its signature', async () => {
  const source = await log(entries(6), key);
  const [bare = ''] = (await source.text('checkpoint')).split('\n\n');
  for (const rest of ['', '\n', '\nno signature\n']) {
    const unsigned = instead(source, (path) => path === 'checkpoint', () => `${bare}\n${rest}`);
    expect(await look(unsigned, await seen(5))).toMatchObject({ goesOn: false, code: 'stranger' });
    expect(await look(unsigned, null)).toMatchObject({ goesOn: 'unknown' });
  }
});

async function rotation(from: Signer, to: Signer, signers: Signer[], entry = '5\n'): Promise<string> {
  const text = `Proof of Reserves: a new key of the log\n${from.key}\n${to.key}\n${entry}`;
  const lines = await Promise.all(signers.map((each) => each.line(text)));
  return `${text}\n${lines.join('')}`;
}

it('follows a new key that the one before has signed, and no other', async () => {
  const next = await signer('board.example/log');
  const before = await seen(5);
  const rotations = [await rotation(key, next, [key, next])];
  const now = await look(await log(entries(6), next, { rotations }), before);
  expect(now).toMatchObject({ goesOn: true, seen: { keys: [key.key, next.key], until: [6] } });
  const forged = [await rotation(key, next, [next])];
  expect(await look(await log(entries(6), next, { rotations: forged }), before)).toMatchObject({ goesOn: false });
  expect(await look(await log(entries(6), next), before)).toMatchObject({ goesOn: false });
  const trusted = [{ key: next.key, until: Infinity }];
  expect(await followKeys(trusted, rotations)).toEqual(trusted);
});

it('believes a replaced key for what the log was until then, and not for what a thief signs with it later', async () => {
  const next = await signer('board.example/log');
  const rotations = [await rotation(key, next, [key, next])];
  const before = await seen(5);
  const changed = await look(await log(entries(6), next, { rotations }), before);
  if (changed.goesOn !== true) throw new Error('not followed');
  const after = changed.seen;
  // The log as it is, and another one.
  const stolen = [entries(9), [...entries(8), 'another']];
  for (const forged of stolen) {
    // Clients that do not know yet that the key was replaced learn it.
    for (const known of [after, before]) {
      expect(await look(await log(forged, key, { rotations }), known)).toMatchObject({ goesOn: false, code: 'replaced' });
    }
  }
  const noteOf = async (count: number, by: Signer) => (await log(entries(count), by)).text('checkpoint');
  for (const count of [1, 5, 6]) {
    expect((await verifiedCheckpoint(await noteOf(count, key), keysOf(after))).size).toBe(count);
  }
  await expect(verifiedCheckpoint(await noteOf(7, key), keysOf(after))).rejects.toThrow('had already been replaced');
  expect((await verifiedCheckpoint(await noteOf(7, next), keysOf(after))).size).toBe(7);
  const unnumbered = [await rotation(key, next, [key, next], '')];
  expect(await look(await log(entries(6), next, { rotations: unnumbered }), before)).toMatchObject({ goesOn: false, code: 'malformed' });
});

it('keeps no thief’s key that an old one announces to readers who know the new one', async () => {
  const [next, thief] = [await signer('board.example/log'), await signer('board.example/log')];
  const rotations = [await rotation(key, next, [key, next])];
  const changed = await look(await log(entries(6), next, { rotations }), await seen(5));
  if (changed.goesOn !== true) throw new Error('not followed');
  const forged = [...rotations, await rotation(key, thief, [key, thief], '900\n')];
  expect(await look(await log(entries(9), thief, { rotations: forged }), changed.seen)).toMatchObject({ goesOn: false, code: 'stranger' });
});

it('believes no log of another board, neither at the first visit nor later', async () => {
  const origin = 'evil.example/log';
  const theirs = await log(entries(7), await signer(origin), { origin });
  for (const before of [null, await seen(5)]) {
    const outcome = await look(theirs, before);
    expect(outcome).toMatchObject({ goesOn: false, code: 'other-board', seen: before, newLog: null });
    expect(outcome).toHaveProperty('reason', expect.stringContaining('“evil.example/log”, but the log of this board is “board.example/log”'));
  }
  // An earlier log at the address of a later one is refused too, and so is a key with another name.
  const earlier = await log(entries(7), key, { address: '/log/2' });
  expect(await look(earlier, null)).toMatchObject({ goesOn: false, code: 'other-board' });
  await expect(look(await log(entries(7), await signer(origin)), null)).rejects.toThrow('not signed with a key');
});

it('calls no honest board a liar when a later log has begun, whatever the browser keeps of the first one', async () => {
  const name = 'board.example/log/2';
  const later = await signer(name);
  // A browser’s cache: the first answer of an address stays.
  const cache = new Map<string, Uint8Array>();
  const cached = (source: LogSource): LogSource => ({
    ...source,
    bytes: async (path) => {
      const whole = `${source.address}/${path}`;
      const answer = cache.get(whole) ?? (await source.bytes(path));
      cache.set(whole, answer);
      return answer;
    },
  });
  const first = await look(cached(await log([begin(1), ...entries(2)], key)), null);
  if (first.goesOn !== true) throw new Error('not seen');
  for (const count of [3, 4, 5]) {
    const grown = await look(cached(await log([begin(1), ...entries(count)], key)), first.seen);
    expect(grown.goesOn).toBe(true);
  }
  const second = async (count: number) => cached(await log([begin(2), ...entries(count).map((entry) => `${entry} restarted`)], later, { origin: name }));
  // A returning visitor gets the operator's reason; once it is read, the new log is followed.
  const result = await look(await second(0), first.seen);
  expect(result).toMatchObject({ goesOn: false, code: 'other-log', newLog: 'A disk was lost.' });
  let before = await look(await second(1), null);
  for (const count of [2, 3, 4, 5]) {
    if (before.goesOn !== true) throw new Error('not seen');
    before = await look(await second(count), before.seen);
    expect(before.goesOn).toBe(true);
  }
});

it.each([
  [{ log: '/log' }, '/log'],
  [{ log: '/log/2' }, '/log/2'],
  [{ log: '/log/17' }, '/log/17'],
  [{ log: '/log/1' }, '/log'],
  [{ log: '//evil.example/log' }, '/log'],
  [{ log: '/log/../evil' }, '/log'],
  [{ log: 7 }, '/log'],
  [{}, '/log'],
  [null, '/log'],
])('the configuration %j names the log at %s', (config, address) => expect(logAddress(config)).toBe(address));

it('takes all names of this machine for one host, and no others', () => {
  expect(isOfHost('127.0.0.1:8080/log', 'localhost:5173')).toBe(true);
  for (const [origin, host] of [
    ['127.0.0.1:8080/log', 'board.example'],
    ['board.example/log', 'localhost:5173'],
    ['board.example:444/log', 'board.example'],
    ['localhost.evil.example/log', 'localhost'],
    ['', 'board.example'],
  ] as const) {
    expect(isOfHost(origin, host), origin).toBe(false);
  }
});

/** The log, where these paths have another answer. */
function instead(source: LogSource, isOne: (path: string) => boolean, answer: () => string): LogSource {
  return {
    ...source,
    text: async (path) => (isOne(path) ? answer() : source.text(path)),
    bytes: async (path) => (isOne(path) ? bytes(answer()) : source.bytes(path)),
  };
}

const denied = (): never => {
  throw new LogError('missing', 'It is not there.');
};

it.each(['checkpoint', 'tile/', 'rotations'])('tells a log that denies what must be there: %s', async (part) => {
  const before = await seen(5);
  const next = await signer('board.example/log');
  const by = part === 'rotations' ? next : key;
  const rotations = [await rotation(key, next, [key, next])];
  const honest = await log(entries(6), by, { rotations });
  expect(await look(honest, before)).toMatchObject({ goesOn: true });
  const isPart = (path: string) => path.startsWith(part);
  expect(await look(instead(honest, isPart, denied), before)).toMatchObject({ goesOn: false, code: 'missing', seen: before });
  // An unreachable log gives no verdict, and neither does a log seen for the first time.
  const silent = instead(honest, isPart, () => {
    throw new Error('503');
  });
  await expect(look(silent, before)).rejects.toThrow('503');
  await expect(look(instead(honest, (path) => path === 'checkpoint', denied), null)).rejects.toThrow('not there');
});

it.each(['<html>', '{}', '[1]'])('tells a list of new keys that is none: %s', async (junk) => {
  const changed = await log(entries(6), await signer('board.example/log'));
  const now = await look(instead(changed, (path) => path === 'rotations', () => junk), await seen(5));
  expect(now).toMatchObject({ goesOn: false, code: 'malformed' });
});

it.each(['', '<html>', '<p>\n\n</p>\n', '{}', 'board.example/log\n5\n\n\u2014 board.example/log AAAAAAA=\n'])(
  'says nothing of a log when something came that is no checkpoint: %s',
  async (junk) => {
    const behind = instead(await log(entries(6), key), (path) => path === 'checkpoint', () => junk);
    expect(await look(behind, await seen(5))).toMatchObject({ goesOn: 'unknown' });
    expect(await look(behind, null)).toMatchObject({ goesOn: 'unknown' });
  },
);

it('keeps the newest that any page saw', async () => {
  const kept = new Map<string, string>();
  const storage = { getItem: (name: string) => kept.get(name) ?? null, setItem: (name: string, value: string) => kept.set(name, value) };
  vi.stubGlobal('window', { localStorage: storage });
  expect(keptLog(HOST)).toBeNull();
  const [few, more] = [await seen(2), await seen(3)];
  keepLog(more, HOST);
  keepLog(few, HOST);
  expect(keptLog(HOST)).toEqual(more);
  keepLog(few, HOST, true);
  expect(keptLog(HOST)).toEqual(few);
  expect(keptLog('other.example')).toBeNull();
  expect(trustedKeys('other.example')).toEqual([]);
  expect(trustedKeys(HOST)).toEqual([{ key: key.key, until: Infinity }]);
  kept.set('board-log', JSON.stringify({ ...few, until: [1] }));
  expect(keptLog(HOST)).toBeNull();
  kept.set('board-log', '{');
  expect(keptLog(HOST)).toBeNull();
});
