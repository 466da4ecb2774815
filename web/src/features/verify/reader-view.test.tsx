import { readFileSync } from 'node:fs';
import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { checkPublishedProof, normalizeWords, prepareChecks, ProofReadError, readProofFile, verifyMessage, type CheckedProof, type MessageCheck } from '../../psbt';
import { stubEsplora } from '../../testing/esplora';
import { open } from '../../testing/render';
import { coinsOf, type Evidence } from './proof';
import { VerifyPage } from './verify-page';

// jsdom has no workers; judge-reader.test.ts checks real proofs with the package.
vi.mock(import('../../psbt'), { spy: true });
vi.setConfig({ testTimeout: 20_000 });

const TEXT = readFileSync(`${process.cwd()}/../psbt-wasm/tests/node/fixtures/reader-transaction.json`, 'utf8');
const PROOF = JSON.parse(TEXT) as Evidence;
const WORDS = 'Acme Bank, loan 4711 k3v9q2';
const DATING = '000000000019d6689c085ae165831e934ff763ae46a2a6c172b3f1b60a8ce26f';

const CHECKED = {
  check: {
    complete: true,
    statement: null,
    carrier: null,
    amountSats: 700_000n,
    block: { height: 977_455, hash: DATING, time: 1_231_006_505 },
    inputs: PROOF.inputs.map(() => ({ status: 'valid', reason: null, message: null, needed: 1, signatures: [] })),
  },
  report: { inputs: PROOF.inputs.map(({ txid }) => ({ address: `bc1q${txid.slice(0, 8)}` })) },
} as unknown as CheckedProof;

beforeEach(() => {
  vi.stubGlobal('location', new URL('https://board.example'));
  vi.mocked(readProofFile).mockImplementation(async (file) => {
    const text = new TextDecoder().decode(file);
    if (!text.includes('"txid"')) throw new ProofReadError('', 'malformed-proof');
    return JSON.parse(text) as Evidence;
  });
  vi.mocked(checkPublishedProof).mockResolvedValue(CHECKED);
  vi.mocked(prepareChecks).mockResolvedValue(true);
  vi.mocked(normalizeWords).mockImplementation(async (text) => {
    if (text.includes('\u200b')) throw new ProofReadError('These words cannot be used. They contain a character that nobody can see. Type them again.', 'invalid-words');
    return { text: text.trim(), mixed: text.includes('\u0410') ? [text] : [] };
  });
});

async function bring() {
  open(<VerifyPage address={new URL('https://board.example/verify')} />);
  await userEvent.upload(screen.getByLabelText('Choose or drop a proof or a receipt'), new File([TEXT], 'proof.json'));
  expect(await screen.findByText('Is this proof for you?')).toBeInTheDocument();
}

const chain = (height: string) => (path: string) =>
  path.endsWith('/blocks/tip/height') ? { body: height } : path.endsWith('/block-height/977455') ? { body: DATING } : null;

async function compare(words: string) {
  const field = screen.getByLabelText('Your request');
  await userEvent.clear(field);
  await userEvent.type(field, words);
  await userEvent.click(screen.getByRole('button', { name: 'Compare' }));
}

test('the board is not asked, the field is empty, and nothing is green before the words are the same', async () => {
  const asked = stubEsplora(coinsOf(PROOF), chain('977500'));
  await bring();
  expect(asked).toEqual([]);
  expect(checkPublishedProof).toHaveBeenCalledWith(expect.anything(), 'reader', 'mainnet', []);
  expect(screen.getByLabelText('Your request')).toHaveValue('');
  await userEvent.click(screen.getByRole('button', { name: 'Check the coins' }));
  expect(await screen.findAllByText('Unspent')).toHaveLength(7);
  expect(screen.getByText('Is this proof for you?')).toBeInTheDocument();
  await compare(WORDS);
  expect(await screen.findByText('This proof is for you, and it is right')).toBeInTheDocument();
  expect(screen.getByText('Same.')).toBeInTheDocument();
});

test('other words are said to be different, with the letter', async () => {
  stubEsplora(coinsOf(PROOF), chain('977500'));
  await bring();
  await compare('\u0410cme Bank, loan 4711 k3v9q2');
  expect(await screen.findByText('This proof is not for you')).toBeInTheDocument();
  expect(screen.getByText('Different: the file has “A” (U+0041) where you have “А” (U+0410).')).toBeInTheDocument();
  await compare('Acme\u200b Bank');
  expect(await screen.findByRole('alert')).toHaveTextContent('a character that nobody can see');
  expect(screen.getByText('Is this proof for you?')).toBeInTheDocument();
});

test('coins can be checked again, and each time is noted', async () => {
  let spent = false;
  stubEsplora(coinsOf(PROOF), (path) => (spent && path.includes('/outspend') && !path.endsWith('s') ? { body: { spent: true, status: { confirmed: true } } } : chain(spent ? '977501' : '977500')(path)));
  await bring();
  await compare(WORDS);
  await userEvent.click(screen.getByRole('button', { name: 'Check the coins' }));
  expect(await screen.findByText('This proof is for you, and it is right')).toBeInTheDocument();
  spent = true;
  await userEvent.click(screen.getByRole('button', { name: 'Check again' }));
  expect(await screen.findByText(/0 of 7 coins unspent at block 977,501, says blockstream\.info/)).toBeInTheDocument();
  expect(screen.getByText(/7 of 7 coins unspent at block 977,500, says blockstream\.info/)).toBeInTheDocument();
  expect(screen.queryByText('This proof is for you, and it is right')).toBeNull();
});

test('the name is the holder’s own, and the file has a hash to compare', async () => {
  stubEsplora(coinsOf(PROOF));
  await bring();
  expect(screen.getByText(/^The holder says they are/)).toHaveTextContent('The holder says they are “Mira Kowal”. Nobody checked this name.');
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(TEXT));
  expect(screen.getByText(Buffer.from(digest).toString('hex'))).toBeInTheDocument();
});

test.each([
  ['valid', {}, 'The signature is valid'],
  ['valid-with-locks', { lockTime: 800_000 }, 'The signature is valid, with a time lock'],
  ['invalid', { message: 'The signature is wrong.' }, 'The signature is not valid'],
  ['inconclusive', { message: 'The coins were not looked up.' }, 'Can’t be checked here'],
] as const)('a signed message that is %s is said to be, and never looks like a proof', async (status, more, title) => {
  vi.mocked(verifyMessage).mockResolvedValue({ status, reason: null, message: null, format: 'simple', loose: false, lockTime: 0, sequence: 0, lineEndings: null, ...more } as MessageCheck);
  open(<VerifyPage address={new URL('https://board.example/verify')} />);
  await userEvent.click(screen.getByText('Check a signed message'));
  await userEvent.type(await screen.findByLabelText('Bitcoin address'), ' bc1qtest ');
  await userEvent.type(screen.getByLabelText('Message, letter by letter'), ' I hold 100 BTC ');
  await userEvent.type(screen.getByLabelText('Signature'), 'sig ');
  await userEvent.click(screen.getByRole('button', { name: 'Check the signature' }));
  const box = (await screen.findByText(title)).closest('div')?.parentElement;
  expect(verifyMessage).toHaveBeenCalledWith('bc1qtest', ' I hold 100 BTC ', 'sig');
  expect(box).not.toHaveTextContent(/100 BTC/);
});
