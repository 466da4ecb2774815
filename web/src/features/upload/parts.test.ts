import { expect, test } from 'vitest';
import type { PsbtReport } from '../../psbt';
import { apartSentence, isSameTransaction } from './use-proof-file';

const report = (changes: object) => ({ format: 'psbt', txid: 'aa', inputs: [{ txid: 'cc', vout: 0 }], ...changes }) as PsbtReport;

test('parts of one transaction are distinguished from others', () => {
  expect(isSameTransaction(report({ version: 0 }), report({ version: 2 }))).toBe(true);
  expect(isSameTransaction(report({}), report({ txid: 'bb' }))).toBe(false);
  expect(isSameTransaction(report({}), report({ format: 'transaction' }))).toBe(false);
});

const part = (name: string, of: PsbtReport) => ({ file: { name }, contents: { report: of } });

test.each([
  [report({ txid: 'bb', inputs: [{ txid: 'dd', vout: 0 }] }), null, 'It spends other coins.'],
  [report({ txid: 'bb' }), null, 'It pays otherwise, or says something else.'],
  [report({}), 'Input 1: PSBT_IN_PARTIAL_SIG: The files say different things.', 'Input 1: PSBT_IN_PARTIAL_SIG: The files say different things.'],
])('parts that do not belong together get a reason and a next step', (next, conflict, reason) => {
  const sentence = apartSentence(part('alice.psbt', report({})), part('bob.psbt', next), conflict);
  expect(sentence).toContain('bob.psbt doesn’t belong to alice.psbt');
  expect(sentence).toContain(reason);
  expect(sentence).toContain('Every cosigner must sign the same file');
});
