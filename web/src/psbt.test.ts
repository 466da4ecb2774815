import { afterEach, expect, test, vi } from 'vitest';
import { checkProofSignatures, closeProofReader, prepareChecks, readProof } from './psbt';
import type { WorkerAnswer, WorkerRequest } from './psbt/read';

type Reply = (request: WorkerRequest) => WorkerAnswer;

/** Workers with these responses. Returns for each opened worker whether it has been closed. */
function stubWorkers(reply: Reply): { ended: boolean }[] {
  const opened: { ended: boolean }[] = [];
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      ended = false;
      constructor() {
        super();
        opened.push(this);
      }
      terminate() {
        this.ended = true;
      }
      postMessage(request: WorkerRequest) {
        queueMicrotask(() => this.dispatchEvent(new MessageEvent('message', { data: reply(request) })));
      }
    },
  );
  return opened;
}

afterEach(closeProofReader);

const read = (size = 4) => readProof(new Uint8Array(size), 'mainnet').then(() => 'read', (error: { code: string }) => error.code);
const refusal = (code: string): Reply => ({ id }) => ({ id, ok: false, message: '', code, input: null });

test('one worker reads file after file', async () => {
  const opened = stubWorkers(refusal('could-not-parse'));
  expect([await read(), await read()]).toEqual(['could-not-parse', 'could-not-parse']);
  expect(opened.map(({ ended }) => ended)).toEqual([false]);
});

test.each(['internal', 'unexpected', 'reader-unavailable'])('after the failure %s the next file gets a new worker', async (code) => {
  const opened = stubWorkers(refusal(code));
  expect([await read(), await read()]).toEqual([code, code]);
  expect(opened.map(({ ended }) => ended)).toEqual([true, true]);
});

test('a worker is let go after a large file', async () => {
  const opened = stubWorkers(refusal('could-not-parse'));
  await read(5 * 1024 * 1024);
  await read();
  expect(opened.map(({ ended }) => ended)).toEqual([true, false]);
});

test('a worker answers every question before it is let go', async () => {
  const opened = stubWorkers(refusal('internal'));
  const signatures = checkProofSignatures(new Uint8Array(4)).catch((error: { code: string }) => error.code);
  expect([await read(), await signatures]).toEqual(['internal', 'internal']);
  expect(opened.map(({ ended }) => ended)).toEqual([true]);
});

test('work is stopped: pending calls are rejected, and the next file gets a new worker', async () => {
  let silent = true;
  const opened = stubWorkers((request) => (silent ? { ...refusal('')(request), id: -1 } : refusal('could-not-parse')(request)));
  const [large, small] = [read(5 * 1024 * 1024), read()];
  closeProofReader();
  expect([await large, await small]).toEqual(['stopped', 'stopped']);
  silent = false;
  expect(await read()).toBe('could-not-parse');
  // A worker is still closed after a large file.
  await read(5 * 1024 * 1024);
  expect(opened.map(({ ended }) => ended)).toEqual([true, true]);
});

test.each([
  ['file-too-short', true],
  ['reader-unavailable', false],
  ['unexpected', false],
])('checks are prepared once the modules that check have come: %s', async (code, prepared) => {
  const opened = stubWorkers(refusal(code));
  expect(await prepareChecks()).toBe(prepared);
  await read();
  expect(opened).toHaveLength(prepared ? 1 : 2);
});
