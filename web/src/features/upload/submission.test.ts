import { expect, test } from 'vitest';
import type { ProofContents, PsbtInput } from '../../psbt';
import { ProofReadError } from '../../psbt';
import { fileProblem, readProblem } from './proof-file';
import { tierNote } from '../share/just-proven';
import { limitProblem, submitRefusal, utxosOf } from './submission';
import { unsignedOf } from './stage';

const input = (changes: Partial<PsbtInput> = {}): PsbtInput => ({
  txid: 'ab'.repeat(32),
  vout: 1,
  sequence: 0,
  valueSats: 2_100_000_000_000_000n,
  scriptPubKey: '0014aa',
  address: null,
  scriptType: 'p2wpkh',
  source: 'witness-utxo',
  signatureState: 'final',
  sighash: null,
  ...changes,
});

const contents = (inputs: PsbtInput[], psbtBase64 = 'cHNidP8='): ProofContents =>
  ({ report: { inputs }, psbtBase64, strippedBytes: 5 }) as ProofContents;

const LIMITS = { max_body_bytes: 2 * 1024 * 1024, max_inputs: 2000 };

test('value and script default to 0 and empty', () => {
  const unknown = input({ valueSats: null, scriptPubKey: null });
  expect(utxosOf({ inputs: [input(), unknown] })).toEqual([
    { txid: 'ab'.repeat(32), vout: 1, value_sats: 2_100_000_000_000_000, scriptPubKey: '0014aa' },
    { txid: 'ab'.repeat(32), vout: 1, value_sats: 0, scriptPubKey: '' },
  ]);
});

test('the conditions for sending, in their order', () => {
  const fine = { stage: { at: 'prove' }, online: true, isAuthenticated: true, hasStatement: true, limit: null } as const;
  expect(submitRefusal(fine)).toBeNull();
  expect(submitRefusal({ ...fine, online: false, isAuthenticated: false })).toBe('You are currently offline.');
  expect(submitRefusal({ ...fine, isAuthenticated: false })).toBe('You must be logged in to verify a PSBT.');
  expect(submitRefusal({ ...fine, hasStatement: false })).toBe('Your statement could not be fetched.');
  expect(submitRefusal({ ...fine, limit: 'Too many inputs.' })).toBe('The file is too large to send.');
  expect(submitRefusal({ ...fine, stage: { at: 'sign' } })).toBe('This file is not signed yet.');
});

test('the limits of the server are checked before anything is sent', () => {
  expect(limitProblem('a.psbt', contents([input()]), LIMITS)).toBeNull();
  expect(limitProblem('a.psbt', contents(Array.from({ length: 2001 }, () => input())), LIMITS)).toMatch(
    /2,001 inputs; at most 2,000 .* Choose fewer coins at a time in your wallet/,
  );
  expect(limitProblem('a.psbt', contents([input()], 'A'.repeat(3 * 1024 * 1024)), LIMITS)).toMatch(/3 MiB.*2 MiB/);
});

test('inputs without any signature are named by position', () => {
  const inputs = [input(), input({ signatureState: 'none' }), input({ signatureState: 'partial' }), input({ signatureState: 'none' })];
  expect(unsignedOf({ inputs })).toEqual([1, 3]);
});

test.each([
  ['success', 'free', 'proofs expire after 90 days'],
  ['success', null, 'proofs expire after 90 days'],
  ['reverified', 'free', 'valid for another 90 days'],
  ['already-verified', 'free', 'no changes needed'],
  ['success', 'premium', 'daily automatic re-verification'],
  ['reverified', 'premium', 'daily automatic re-verification'],
] as const)('%s on %s: %s', (status, tier, note) => expect(tierNote(status, tier)).toContain(note));

test.each([
  ['a.psbt', null],
  ['A.PSBT', null],
  ['electrum.txn', null],
  ['a.psbt.txt', 'Please upload a valid PSBT file (.psbt extension)'],
  ['psbt', 'Please upload a valid PSBT file (.psbt extension)'],
  ['a.tx', 'Please upload a valid PSBT file (.psbt extension)'],
])('the file name %s: %s', (name, message) => {
  expect(fileProblem({ name, size: 10 }, 32 * 1024 * 1024)?.message ?? null).toBe(message);
});

test('a file that is too large is not read', () => {
  expect(fileProblem({ name: 'a.psbt', size: 33 * 1024 * 1024 }, 32 * 1024 * 1024)?.message).toContain('33 MiB');
});

test('a reading that failed has the one sentence, and the reason under it', () => {
  expect(readProblem(new ProofReadError('Invalid PSBT: File too short', 'file-too-short'))).toEqual({
    message: 'Invalid PSBT: Could not parse.',
    detail: 'Invalid PSBT: File too short',
    next: 'The file is incomplete. Export it again.',
  });
  expect(readProblem(new ProofReadError('Invalid PSBT: Could not parse. It ends too early.', 'could-not-parse'))).toEqual({
    message: 'Invalid PSBT: Could not parse.',
    detail: 'It ends too early.',
    next: expect.stringMatching(/Export it again\.$/),
  });
  expect(readProblem(new ProofReadError('No inputs found', 'no-inputs'))).toMatchObject({
    detail: 'No inputs found',
    next: expect.stringMatching(/^Select your coins/),
  });
  expect(readProblem(new DOMException('gone', 'NotReadableError')).message).toBe('The browser couldn’t read this file. Choose it again.');
});
