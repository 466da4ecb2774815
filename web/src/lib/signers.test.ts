import { expect, test } from 'vitest';
import { ANOTHER, coreArguments, signerOf, SIGNERS } from './signers';

const of = (form: 'message' | 'transaction' | null) => SIGNERS.filter((signer) => signer.form === form).map(({ id }) => id);

test('each signer is offered the form of the table (proofs, section 3)', () => {
  expect(of('message')).toEqual(['bitcoin-core', 'coldcard']);
  expect(of(null)).toEqual(['passport', 'bitbox02', 'krux']);
  for (const never of ['jade', 'trezor', 'bitbox02', 'passport', 'bluewallet']) expect(signerOf(never).form).not.toBe('message');
});

test.each([...SIGNERS, ANOTHER])('$name has its steps and its source', (signer) => {
  expect(signer.source).toMatch(/^https:\/\/github\.com\//);
  expect(signer.coins.length).toBeGreaterThan(0);
  expect(signer.sign.length).toBeGreaterThan(0);
  expect(signer.form === null ? signer.trouble : signer.shows).toBeTruthy();
});

test('a wallet that is not known is another wallet', () => {
  expect(signerOf('unheard-of')).toBe(ANOTHER);
  expect(signerOf(null)).toBe(ANOTHER);
});

test('commands are for the network of the site', () => {
  const step = signerOf('bitcoin-core').coins[0];
  if (typeof step !== 'object') throw new Error('not a command');
  expect(step.command({ network: coreArguments('signet'), file: '' })).toContain('bitcoin-cli -signet listunspent');
  expect(step.command({ network: coreArguments('mainnet'), file: '' })).toContain('"$(bitcoin-cli listunspent)"');
});
