import { expect, test, vi } from 'vitest';
import { keysOfBoard } from './board-keys';

/** The keys of a log by the logs that say so, and the keys that each has replaced. */
function board(logs: Record<string, { key: string; replaced?: string[] }>) {
  vi.stubGlobal('location', new URL('https://board.example/verify'));
  const log = Object.keys(logs).at(-1);
  vi.stubGlobal('fetch', async (address: string) => {
    if (address.endsWith('/app-config')) return Response.json({ log });
    const [, at = '', file] = /^(.*)\/(key|rotations)$/.exec(address) ?? [];
    const found = logs[at];
    if (!found) return Response.json({}, { status: 404 });
    const notes = (found.replaced ?? []).map((key) => `Proof of Reserves: a new key of the log\n${key}\nboard.example/log+00000000+later\n7\n\n`);
    return file === 'key' ? new Response(`${found.key}\n`) : Response.json(notes);
  });
  return keysOfBoard(new AbortController().signal);
}

const key = (bytes: string, log = '') => `board.example/log${log}+00000000+${bytes}`;

test('notes by the last key of an earlier log count, until that key is replaced anywhere', async () => {
  expect(await board({ '/log': { key: key('a') } })).toEqual([key('a')]);
  expect(await board({ '/log': { key: key('b'), replaced: [key('a')] } })).toEqual([key('b')]);
  const begun = { '/log': { key: key('a') }, '/log/2': { key: key('a', '/2') } };
  expect(await board(begun)).toEqual([key('a'), key('a', '/2')]);
  expect(await board({ ...begun, '/log/3': { key: key('c', '/3'), replaced: [] } })).toEqual([key('a'), key('a', '/2'), key('c', '/3')]);
  const stolen = { ...begun, '/log/2': { key: key('b+c', '/2'), replaced: [key('a', '/2')] } };
  expect(await board(stolen)).toEqual([key('b+c', '/2')]);
  // A board that does not answer for one of them may have replaced any.
  expect(await board({ '/log/2': { key: key('a', '/2') } })).toEqual([]);
});
