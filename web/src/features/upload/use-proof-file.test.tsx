import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CHOSEN_FILE, keepFile, keptFile } from '../../lib/kept-file';
import { combineProofs, ProofReadError, readProof, readSource, type ProofContents, type PsbtReport, recognizeText } from '../../psbt';
import { useProofFile } from './use-proof-file';

vi.mock('../../psbt', async (original) => ({
  ...(await original<typeof import('../../psbt')>()),
  readProof: vi.fn<typeof readProof>(),
  readSource: vi.fn<typeof readSource>(),
  combineProofs: vi.fn<typeof combineProofs>(),
  recognizeText: vi.fn<typeof recognizeText>(),
  closeProofReader: () => {},
}));

const read = vi.mocked(readProof);
const REPORT = { format: 'psbt', inputs: [], outputs: [], lockTime: 0, txid: 'aa' } as unknown as PsbtReport;
const CONTENTS = { psbtBase64: 'cHNidP8=', report: REPORT } as ProofContents;
const of = (report: Partial<PsbtReport>) => ({ ...CONTENTS, report: { ...REPORT, ...report } });
const file = (name: string) => new File(['x'], name);
const use = () => renderHook(() => useProofFile({ network: 'regtest', max_file_bytes: 1000 }, CHOSEN_FILE)).result;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a wrong extension reverts to idle after 1.5 seconds; the message stays', async () => {
  const hook = use();
  await act(() => hook.current.onFiles([file('a.txt')]));
  expect(hook.current.file.step).toBe('refused');
  await act(() => vi.advanceTimersByTimeAsync(1499));
  expect(hook.current.file.step).toBe('refused');
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(hook.current.file).toEqual({
    step: 'none',
    problem: { message: 'Please upload a valid PSBT file (.psbt extension)' },
  });
  expect(read).not.toHaveBeenCalled();
});

test('a file that cannot be read stays refused until another one is chosen', async () => {
  read.mockRejectedValueOnce(new ProofReadError('Invalid PSBT: File too short', 'file-too-short'));
  read.mockResolvedValueOnce(CONTENTS);
  const hook = use();
  await act(() => hook.current.onFiles([file('a.psbt')]));
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(hook.current.file).toMatchObject({ step: 'refused', problem: { detail: 'Invalid PSBT: File too short' } });
  await act(() => hook.current.onFiles([file('b.psbt')]));
  expect(hook.current.file).toMatchObject({ step: 'ready', contents: CONTENTS });
});

test('where a proof is only made of the coins, a file may lack outputs', async () => {
  vi.mocked(readSource).mockResolvedValueOnce(CONTENTS);
  read.mockClear();
  const hook = renderHook(() => useProofFile({ network: 'regtest', max_file_bytes: 1000, coins_alone: true })).result;
  await act(() => hook.current.onFiles([file('a.psbt')]));
  expect(hook.current.file).toMatchObject({ step: 'ready', contents: CONTENTS });
  expect(read).not.toHaveBeenCalled();
});

test('an answer about an earlier file is dropped', async () => {
  let finishFirst: ((contents: ProofContents) => void) | undefined;
  read.mockImplementationOnce(() => new Promise((resolve) => (finishFirst = resolve)));
  read.mockResolvedValueOnce(CONTENTS);
  const hook = use();
  let first = Promise.resolve<void>(undefined);
  await act(async () => void (first = hook.current.onFiles([file('slow.psbt')])));
  await act(() => hook.current.onFiles([file('fast.psbt')]));
  await act(async () => {
    finishFirst?.({ psbtBase64: 'late' } as ProofContents);
    await first;
  });
  expect(hook.current.file).toMatchObject({ step: 'ready', file: { name: 'fast.psbt' }, contents: CONTENTS });
});

test('the part of another cosigner joins the first', async () => {
  read.mockResolvedValue(CONTENTS);
  vi.mocked(combineProofs).mockResolvedValueOnce(Uint8Array.from([1, 2, 3]));
  const hook = use();
  await act(() => hook.current.onFiles([file('alice.psbt')]));
  await act(() => hook.current.onFiles([file('bob.psbt')]));
  expect(hook.current.file).toMatchObject({ step: 'ready', parts: 2, file: { name: 'alice.psbt', size: 3 } });
});

test('several parts may be brought at once', async () => {
  read.mockResolvedValue(CONTENTS);
  vi.mocked(combineProofs).mockResolvedValue(Uint8Array.from([1]));
  const hook = use();
  await act(() => hook.current.onFiles([file('a.psbt'), file('b.psbt'), file('c.psbt')]));
  expect(hook.current.file).toMatchObject({ step: 'ready', parts: 3 });
});

test('a file of another transaction, or one that does not fit, takes the place of the first', async () => {
  read.mockResolvedValueOnce(CONTENTS).mockResolvedValueOnce(of({ txid: 'bb' })).mockResolvedValueOnce(of({ txid: 'bb' }));
  vi.mocked(combineProofs).mockRejectedValueOnce(new ProofReadError('Input 1: They differ.', 'conflict'));
  const hook = use();
  await act(() => hook.current.onFiles([file('a.psbt')]));
  await act(() => hook.current.onFiles([file('b.psbt')]));
  expect(hook.current.file).toMatchObject({ step: 'ready', parts: 1, file: { name: 'b.psbt' } });
  await act(() => hook.current.onFiles([file('c.psbt')]));
  expect(hook.current.file).toMatchObject({ step: 'ready', parts: 1, file: { name: 'c.psbt' } });
});

test('a chosen file is there again when its reader comes back to the page', async () => {
  read.mockResolvedValue(CONTENTS);
  const hook = use();
  await act(() => hook.current.onFiles([file('a.psbt')]));
  const again = use();
  await act(() => vi.advanceTimersByTimeAsync(0));
  await vi.waitFor(() => expect(again.current.file).toMatchObject({ step: 'ready', file: { name: 'a.psbt' } }));
});

const PHRASE = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

test.each([
  ['is known', () => Promise.resolve({ kind: 'seed-phrase' as const, message: 'This is a seed phrase.', secret: true })],
  ['cannot be looked up', () => Promise.reject(new Error('no module'))],
])('of a seed phrase no file, name or size is ever shown when it %s', async (_, answer) => {
  read.mockClear();
  vi.mocked(recognizeText).mockImplementationOnce(answer);
  const seen: string[] = [];
  const hook = renderHook(() => {
    const proof = useProofFile({ network: 'regtest', max_file_bytes: 1000 });
    seen.push(proof.file.step);
    return proof;
  }).result;
  await act(() => hook.current.onFiles([new File([PHRASE], 'pasted.psbt')]));
  expect(hook.current.file).toMatchObject({ step: 'none', problem: { message: expect.stringMatching(/Never paste this|so it was removed/) } });
  expect(new Set(seen)).toEqual(new Set(['none']));
  expect(read).not.toHaveBeenCalled();
});

test('a file that is refused is not kept, and neither is the one before it', async () => {
  keepFile('before.psbt', Uint8Array.from([1]));
  read.mockResolvedValue(CONTENTS);
  const hook = use();
  await act(() => hook.current.onFiles([file('a.txt')]));
  expect(keptFile()).toBeNull();
});

const signed = { txid: 'bb', inputs: [{ txid: 'bb', vout: 0, sequence: 1, signatureState: 'partial' }] } as unknown as Partial<PsbtReport>;

test('a signed file of another transaction is named while the first one waits for parts; otherwise it replaces the first one', async () => {
  const hook = use();
  for (const waiting of [true, false]) {
    read.mockResolvedValueOnce(CONTENTS).mockResolvedValueOnce(of(signed));
    await act(() => hook.current.onFiles([file('alice.psbt')]));
    await act(() => hook.current.onFiles([file('bob.psbt')], waiting));
    expect(hook.current.file).toMatchObject({ step: 'ready', parts: 1, file: { name: 'bob.psbt' } });
    const { apart } = hook.current.file as { apart?: string };
    if (waiting) expect(apart).toMatch(/bob\.psbt doesn’t belong to alice\.psbt.*It spends other coins/);
    else expect(apart).toBeUndefined();
  }
});

test('reading is stopped on request, with what to do; a file that was there before is there again', async () => {
  const hook = use();
  read.mockImplementationOnce(() => new Promise(() => {}));
  await act(async () => void hook.current.onFiles([file('a.psbt'), file('b.psbt')]));
  expect(hook.current.file).toMatchObject({ step: 'reading', done: 0, of: 2 });
  act(() => hook.current.onStop());
  expect(hook.current.file).toMatchObject({ step: 'none', problem: { message: 'You stopped reading the file.' } });

  read.mockResolvedValueOnce(CONTENTS).mockImplementationOnce(() => new Promise(() => {}));
  await act(() => hook.current.onFiles([file('first.psbt')]));
  await act(async () => void hook.current.onFiles([file('second.psbt')]));
  expect(hook.current.file.step).toBe('reading');
  act(() => hook.current.onStop());
  expect(hook.current.file).toMatchObject({ step: 'ready', file: { name: 'first.psbt' } });
  expect(keptFile()?.name).toBe('first.psbt');
});
