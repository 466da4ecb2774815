import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { BlockTimes } from '../psbt';
import { answer } from './read';

// BIP-0174, test vectors, valid PSBTs: "one P2PKH input which has a non-final scriptSig, one output" (unsigned).
const UNSIGNED =
  'cHNidP8BAHUCAAAAASaBcTce3/KF6Tet7qSze3gADAVmy7OtZGQXE8pCFxv2AAAAAAD+////AtPf9QUAAAAAGXapFNDFmQPFusKGh2DpD9UhpGZap2UgiKwA4fUFAAAAABepFDVF5uM7gyxHBQ8k0+65PJwDlIvHh7MuEwAAAQD9pQEBAAAAAAECiaPHHqtNIOA3G7ukzGmPopXJRjr6Ljl/hTPMti+VZ+UBAAAAFxYAFL4Y0VKpsBIDna89p95PUzSe7LmF/////4b4qkOnHf8USIk6UwpyN+9rRgi7st0tAXHmOuxqSJC0AQAAABcWABT+Pp7xp0XpdNkCxDVZQ6vLNL1TU/////8CAMLrCwAAAAAZdqkUhc/xCX/Z4Ai7NK9wnGIZeziXikiIrHL++E4sAAAAF6kUM5cluiHv1irHU6m80GfWx6ajnQWHAkcwRAIgJxK+IuAnDzlPVoMR3HyppolwuAJf3TskAinwf4pfOiQCIAGLONfc0xTnNMkna9b7QPZzMlvEuqFEyADS8vAtsnZcASED0uFWdJQbrUqZY3LLh+GFbTZSYG2YVi/jnF6efkE/IQUCSDBFAiEA0SuFLYXc2WHS9fSrZgZU327tzHlMDDPOXMMJ/7X85Y0CIGczio4OFyXBl/saiK9Z9R5E5CVbIBZ8hoQDHAXR8lkqASECI7cr7vCWXRC+B3jv7NYfysb3mk6haTkzgHNEZPhPKrMAAAAAAAAA';

const read = (bytes: Uint8Array) => answer<'read'>({ id: 7, task: 'read', args: [Uint8Array.from(bytes), 'mainnet'] });
const bytesOf = (base64: string) => Buffer.from(base64, 'base64');

test('the built package reads a file and strips it', async () => {
  const result = await read(bytesOf(UNSIGNED));
  if (!result.ok) throw new Error(result.message);
  const { report, psbtBase64, strippedBytes } = result.result;
  expect(result.id).toBe(7);
  expect(report).toMatchObject({ format: 'psbt', version: 0, encoding: 'binary', lockTime: 1_257_139 });
  expect(report.inputs).toHaveLength(1);
  expect(report.inputs[0]).toMatchObject({
    vout: 0,
    valueSats: 200_000_000n,
    scriptType: 'p2pkh',
    source: 'previous-transaction',
    signatureState: 'none',
  });
  expect(report.totalOutputSats).toBe(199_999_699n);
  expect(report.privateFields.previousTransactions).toBe(1);
  expect(bytesOf(psbtBase64)).toHaveLength(strippedBytes);
  expect(strippedBytes).toBeLessThan(bytesOf(UNSIGNED).length);
});

/** As bitcoinjs-lib writes it, with the map of an output that is not there; of a public bug report. */
const NO_OUTPUTS = readFileSync(new URL('../../../psbt-wasm/tests/behavior/public_reports/p2-no-outputs-bip174js.psbt', import.meta.url));

const binding = (bytes: Uint8Array, statement: string) => answer<'binding'>({ id: 7, task: 'binding', args: [Uint8Array.from(bytes), statement] });
const source = async (bytes: Uint8Array) => answer<'source'>({ id: 7, task: 'source', args: [Uint8Array.from(bytes), 'mainnet'] });

test('a file without outputs is refused, and read for its coins where a proof is only made of it', async () => {
  expect(await read(NO_OUTPUTS)).toMatchObject({ ok: false, code: 'no-outputs', message: 'No outputs found' });
  for (const bytes of [NO_OUTPUTS, NO_OUTPUTS.subarray(0, -1), Buffer.from(NO_OUTPUTS.toString('base64'))]) {
    const result = await source(bytes);
    expect(result).toMatchObject({ ok: true, result: { report: { inputs: [{ vout: 0, valueSats: 10_000n, signatureState: 'none' }], totalInputSats: 10_000n } } });
    // Nothing in it speaks of a proof, so one is made of it.
    expect(await binding(bytes, 'Proof of Reserves for:acme~2amxg5dj 5nqwz2c7hdtyvb4mrk6e')).toMatchObject({ ok: true, result: { state: 'unbound' } });
  }
  expect(await source(bytesOf(UNSIGNED))).toMatchObject({ ok: true, result: { report: { totalOutputSats: 199_999_699n } } });
  expect(await source(Uint8Array.from([0, 1, 2, 3, 4]))).toMatchObject({ ok: false, code: 'invalid-magic' });
});

test('what is made is bound to its statement, and to no other', async () => {
  const statement = 'Proof of Reserves reserves.example satoshi 7m2kq4xw9d3rt5yb8n6c';
  const made = await answer<'make'>({ id: 7, task: 'make', args: [Uint8Array.from(bytesOf(UNSIGNED)), { statement, form: 'transaction' }] });
  if (!made.ok) throw new Error(made.message);
  const { psbt } = made.result;
  expect(await binding(psbt, statement)).toMatchObject({ ok: true, result: { state: 'bound' } });
  expect(await binding(psbt, statement.replace('satoshi', 'mallory'))).toMatchObject({ ok: true, result: { state: 'foreign', statement } });
  expect(await binding(bytesOf(UNSIGNED), statement)).toMatchObject({ ok: true, result: { state: 'unbound' } });
});

test('base64 text is read as well', async () => {
  const result = await read(new TextEncoder().encode(` ${UNSIGNED}\n`));
  expect(result).toMatchObject({ ok: true, result: { report: { encoding: 'base64' } } });
});

test.each([
  ['nothing', [], 'file-too-short', 'Invalid PSBT: File too short'],
  ['four bytes', [0x70, 0x73, 0x62, 0x74], 'file-too-short', 'Invalid PSBT: File too short'],
  ['other bytes', [0, 1, 2, 3, 4], 'invalid-magic', 'Invalid PSBT: Invalid magic number'],
])('%s is refused with its code', async (_name, bytes, code, message) => {
  expect(await read(Uint8Array.from(bytes))).toEqual({ id: 7, ok: false, code, message, input: null });
});

test('a truncated file is refused with the reason', async () => {
  const result = await read(bytesOf(UNSIGNED).subarray(0, 200));
  expect(result).toMatchObject({ ok: false, code: 'could-not-parse' });
  expect(!result.ok && result.message).toMatch(/^Invalid PSBT: Could not parse\./);
});

const check = (bytes: Uint8Array) => answer<'signatures'>({ id: 8, task: 'signatures', args: [Uint8Array.from(bytes)] });

test('the second module checks signatures', async () => {
  const result = await check(bytesOf(UNSIGNED));
  expect(result).toMatchObject({ id: 8, ok: true, result: { complete: false } });
  expect(result.ok && result.result.inputs).toMatchObject([{ status: 'missing', reason: 'no-signature' }]);
});

test('nothing is refused by the second module, which is there from then on', async () => {
  expect(await check(new Uint8Array())).toMatchObject({ ok: false, code: 'file-too-short' });
});

test('a file that cannot be read has no signatures to check', async () => {
  expect(await check(Uint8Array.from([0, 1, 2, 3, 4]))).toMatchObject({ ok: false, code: 'invalid-magic' });
});

test('the bounds of a date are searched with one block more each time, which the page asks for', async () => {
  const [tip, at] = [900_000, 600 * 800_000];
  const known: BlockTimes[] = [];
  for (;;) {
    const found = await answer<'searchDate'>({ id: 9, task: 'searchDate', args: [at, tip, known] });
    if (!found.ok) throw new Error(found.message);
    if ('bounds' in found.result) {
      expect(found.result.bounds).toMatchObject({ lower: { height: 800_000 }, upper: { height: 800_005 }, settled: true });
      break;
    }
    const { needs } = found.result;
    expect(known.map(({ height }) => height)).not.toContain(needs);
    for (let height = needs; height > needs - 10; height -= 1) known.push({ height, hash: height.toString(16).padStart(64, '0'), time: 600 * height, medianTime: 600 * height - 3_000 });
  }
  expect(known.length).toBeLessThan(400);
});

test('an instant without a time zone is refused', async () => {
  expect(await answer<'instant'>({ id: 9, task: 'instant', args: ['2026-12-31T24:00:00'] })).toMatchObject({ ok: false, code: 'invalid-instant' });
  expect(await answer<'instant'>({ id: 9, task: 'instant', args: ['2026-12-31T24:00:00+01:00'] })).toMatchObject({ ok: true, result: 1_798_758_000 });
});
