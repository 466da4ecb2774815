import { expect, test } from 'vitest';
import { ANOTHER, checkedWords, codesOf, coreArguments, filledCommand, signerOf, SIGNERS, signingSteps, UNABLE, WITH_MESSAGES } from './signers';

const of = (form: 'message' | 'transaction' | null) => SIGNERS.filter((signer) => signer.form === form).map(({ id }) => id);

test('each signer is offered the form of the table (proofs, section 3)', () => {
  expect(of('message')).toEqual(['bitcoin-core', 'coldcard']);
  expect(of(null)).toEqual(['passport', 'bitbox02', 'krux']);
});

test('a message is offered to nobody else than those it works with, with the fee that they show', () => {
  expect(WITH_MESSAGES.map(({ id }) => id).toSorted()).toEqual(['bitcoin-core', 'coldcard', 'electrum', 'specter-diy']);
  for (const id of ['electrum', 'specter-diy']) expect(signerOf(id).message?.shows).toContainEqual(['Fee', expect.stringContaining('the whole amount as the fee')]);
  expect(ANOTHER.message).toBeUndefined();
});

test.each([...SIGNERS, ANOTHER])('$name has its steps', (signer) => {
  expect(signer.coins.length).toBeGreaterThan(0);
  expect(signer.sign.length).toBeGreaterThan(0);
  expect(signer.form === null ? signer.trouble : signer.transaction.shows.length).toBeTruthy();
});

test.each([
  ['coldcard', /a Coldcard Q read them \(BBQr\).*press \*Scan QR codes\*/, 'bbqr'],
  ['keystone', /your Keystone read them \(UR\).*press \*Scan QR codes\*/, 'ur'],
  ['seedsigner', /\(UR\)/, 'ur'],
] as const)('%s has instructions for signing by QR codes', (id, words, form) => {
  expect(JSON.stringify(signingSteps(signerOf(id)).at(-1))).toMatch(words);
  expect(codesOf(signerOf(id))).toBe(form);
});

test.each(['ledger', 'trezor', 'bitcoin-core', 'electrum'])('%s, which reads no QR codes, has no instructions for them', (id) => {
  expect(signingSteps(signerOf(id))).toEqual(signerOf(id).sign);
});

test.each([...SIGNERS, ...UNABLE.filter(({ id }) => id !== 'phone' && id !== 'exchange')])('$name: how it was tried, when, and where its behavior can be read', ({ source, checked }) => {
  expect(source).toMatch(/^https:\/\/\S+$/);
  expect(checkedWords(checked!)).toMatch(/^(Run|Read): .+ (January|February|March|April|May|June|July|August|September|October|November|December) 20\d\d\.$/);
});

test('a wallet that is not known is another wallet', () => {
  expect(signerOf('unheard-of')).toBe(ANOTHER);
  expect(signerOf(null)).toBe(ANOTHER);
});

const commands = (network: string) =>
  signerOf('bitcoin-core').coins.flatMap((step) => (typeof step === 'object' && step.command ? [filledCommand(step.command, { network: coreArguments(network), file: '' })] : []));

test('commands are for the network of the site, and for the shell of the reader', () => {
  expect(commands('signet')[0]).toContain('bitcoin-cli -signet "$@"');
  expect(commands('mainnet')[0]).toContain('cli() { bitcoin-cli "$@"; };');
  expect(commands('mainnet')[1]).toContain('bitcoin-cli -stdin createpsbt');
});

test.each(UNABLE)('$name has a straight answer, and something to go on with where there is', ({ answer, use }) => {
  expect(answer.length).toBeGreaterThan(30);
  expect(use === undefined || use === ANOTHER.id || SIGNERS.some(({ id }) => id === use)).toBe(true);
});

test('each has a name of its own, and nothing that no page shows', () => {
  const all = [...SIGNERS, ANOTHER, ...UNABLE];
  for (const part of ['id', 'name'] as const) {
    expect(all.filter((it) => !it[part])).toEqual([]);
    expect(new Set(all.map((it) => it[part])).size, part).toBe(all.length);
  }
  const members = new Set(['id', 'name', 'kind', 'source', 'checked', 'form', 'coins', 'sign', 'codes', 'transaction', 'message', 'limit', 'trouble', 'answer', 'use']);
  for (const it of all) expect(Object.keys(it).filter((member) => !members.has(member)), it.name).toEqual([]);
});

test('labels stand between two asterisks', () => {
  for (const { coins, sign } of [...SIGNERS, ANOTHER]) {
    for (const step of [...coins, ...sign]) {
      const texts = typeof step === 'string' ? [step] : [step.text, step.note ?? ''];
      for (const text of texts) expect(text.split('*').length % 2, text).toBe(1);
    }
  }
});
