import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ProofReadError, readProof, type ProofContents } from '../../psbt';
import { useProofFile } from './use-proof-file';

vi.mock('../../psbt', async (original) => ({
  ...(await original<typeof import('../../psbt')>()),
  readProof: vi.fn<typeof readProof>(),
  closeProofReader: () => {},
}));

const read = vi.mocked(readProof);
const CONTENTS = { psbtBase64: 'cHNidP8=' } as ProofContents;
const file = (name: string) => new File(['x'], name);
const use = () => renderHook(() => useProofFile({ network: 'regtest', max_file_bytes: 1000 })).result;

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('a wrong extension reverts to idle after 1.5 seconds; the message stays', async () => {
  const hook = use();
  await act(() => hook.current.select(file('a.txt')));
  expect(hook.current.state.step).toBe('refused');
  await act(() => vi.advanceTimersByTimeAsync(1499));
  expect(hook.current.state.step).toBe('refused');
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(hook.current.state).toEqual({
    step: 'none',
    problem: { message: 'Please upload a valid PSBT file (.psbt extension)' },
  });
  expect(read).not.toHaveBeenCalled();
});

test('a file that cannot be read stays refused until another one is chosen', async () => {
  read.mockRejectedValueOnce(new ProofReadError('Invalid PSBT: File too short', 'file-too-short'));
  read.mockResolvedValueOnce(CONTENTS);
  const hook = use();
  await act(() => hook.current.select(file('a.psbt')));
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(hook.current.state).toMatchObject({ step: 'refused', problem: { detail: 'Invalid PSBT: File too short' } });
  await act(() => hook.current.select(file('b.psbt')));
  expect(hook.current.state).toMatchObject({ step: 'ready', contents: CONTENTS });
});

test('an answer about an earlier file is dropped', async () => {
  let finishFirst: ((contents: ProofContents) => void) | undefined;
  read.mockImplementationOnce(() => new Promise((resolve) => (finishFirst = resolve)));
  read.mockResolvedValueOnce(CONTENTS);
  const hook = use();
  let first = Promise.resolve<void>(undefined);
  await act(async () => void (first = hook.current.select(file('slow.psbt'))));
  await act(() => hook.current.select(file('fast.psbt')));
  await act(async () => {
    finishFirst?.({ psbtBase64: 'late' } as ProofContents);
    await first;
  });
  expect(hook.current.state).toMatchObject({ step: 'ready', file: { name: 'fast.psbt' }, contents: CONTENTS });
});
