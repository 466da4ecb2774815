import { expect, test } from 'vitest';
import type { InputSignatures, PsbtInput, SignatureReport, SignatureState } from '../../psbt';
import type { Binding } from './binding';
import { missingFor, stageOf } from './stage';

const BOUND: Binding = { state: 'bound' };
const inputs = (...signatures: SignatureState[]) => ({ inputs: signatures.map((found) => ({ signatureState: found }) as PsbtInput) });
const one = (valid: boolean, commitsToAll = true) => ({ key: null, valid, sighash: 1, commitsToAll });
const verdict = (changes: Partial<InputSignatures>): InputSignatures => ({
  status: 'valid',
  reason: null,
  message: null,
  needed: 1,
  signatures: [one(true)],
  ...changes,
});
const checked = (...all: Partial<InputSignatures>[]): SignatureReport => ({ complete: false, inputs: all.map(verdict) });
const at = (report: ReturnType<typeof inputs>, binding: Binding | null = BOUND, check?: SignatureReport, mode: 'required' | 'optional' = 'required') =>
  stageOf({ report, binding, check, mode });

test.each<[string, Binding]>([
  ['an ordinary file', { state: 'unbound' }],
  ['a file for another account', { state: 'foreign', statement: '' }],
  ['a statement on something that moves', { state: 'moving', fault: { of: 'sequences' } }],
])('%s is made into a proof', (_name, binding) => {
  expect(at(inputs('none', 'none'), binding)).toEqual({ at: 'make', signed: false });
  expect(at(inputs('final', 'none'), binding)).toEqual({ at: 'make', signed: true });
});

test('where a statement is optional, a signed file without one may be sent', () => {
  expect(at(inputs('final'), { state: 'unbound' }, undefined, 'optional')).toEqual({ at: 'prove' });
  expect(at(inputs('none'), { state: 'unbound' }, undefined, 'optional').at).toBe('make');
  expect(at(inputs('final'), { state: 'foreign', statement: '' }, undefined, 'optional').at).toBe('make');
});

test('a proof that nobody has signed is to be signed', () => {
  expect(at(inputs('none', 'none'))).toEqual({ at: 'sign' });
  expect(at(inputs('none'), { state: 'unknown', why: 'message' })).toEqual({ at: 'sign' });
});

test('a proof that some have signed waits, and says for what', () => {
  const check = checked({ status: 'incomplete', needed: 2 }, { status: 'missing', needed: 2, signatures: [] }, {});
  expect(at(inputs('partial', 'none', 'final'), BOUND, check)).toEqual({
    at: 'cosign',
    waiting: [
      { input: 0, has: 1, needed: 2 },
      { input: 1, has: 0, needed: 2 },
    ],
  });
});

test('a signature that is wrong, or leaves something open, is to be mended', () => {
  expect(at(inputs('final'), BOUND, checked({ status: 'invalid', signatures: [one(false)] }))).toEqual({ at: 'mend' });
  expect(at(inputs('final'), BOUND, checked({ signatures: [one(true, false)] }))).toEqual({ at: 'mend' });
});

test('what is signed and bound can be sent, also when this device cannot tell', () => {
  expect(at(inputs('final', 'partial'), BOUND, checked({}, {}))).toEqual({ at: 'prove' });
  expect(at(inputs('final'), { state: 'unknown', why: 'values' }, checked({ status: 'inconclusive', signatures: [] }))).toEqual({ at: 'prove' });
  expect(at(inputs('final'), null)).toEqual({ at: 'prove' });
});

test('each stage before the last says what is missing', () => {
  expect(missingFor({ at: 'prove' })).toBeNull();
  expect(missingFor({ at: 'cosign', waiting: [{ input: 0, has: 1, needed: 2 }] })).toBe('1 input of this file waits for signatures.');
  for (const stage of [{ at: 'make', signed: false }, { at: 'sign' }, { at: 'mend' }] as const) expect(missingFor(stage)).toBeTruthy();
});
