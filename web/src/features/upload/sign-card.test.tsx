import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { hexOf } from '../../lib/printed';
import { makeProof, ProofReadError, STOPPED, type MadeProof } from '../../psbt';
import { stubNetwork } from '../../testing/network';
import { open } from '../../testing/render';
import type { Batch } from './many-scripts';
import DevelopmentWallet from './development-wallet';
import { SignCard } from './sign-card';

vi.mock('../../psbt', async (original) => ({
  ...(await original<typeof import('../../psbt')>()),
  makeProof: vi.fn<typeof makeProof>(),
}));

const make = vi.mocked(makeProof);
const STATEMENT = 'Proof of Reserves reserves.example satoshi 7m2kq4xw9d3rt5yb8n6c';
const MADE: MadeProof = { psbt: Uint8Array.from([0x70, 0x73]), inputCount: 2, scriptCount: 1, amountSats: 1_250_000_000n, partCount: 1, notes: [] };
const onBatch = vi.fn<(batch: Batch) => void>();
const FILE = new File(['x'], 'coins.psbt');

function show(wallet: string | null, signed = false, onSigned: ((file: File) => void) | null = null, changed = false) {
  const choose = vi.fn<(id: string) => void>();
  open(
    <SignCard
      file={FILE}
      signed={signed}
      changed={changed}
      statement={STATEMENT}
      network="regtest"
      wallet={{ id: wallet, choose }}
      batch={null}
      onBatch={onBatch}
      walletFor={onSigned ? (toSign) => <DevelopmentWallet file={toSign} onSigned={onSigned} /> : undefined}
    />,
  );
  return choose;
}

beforeEach(() => void make.mockReset().mockResolvedValue(MADE));

test('the made file is offered under a telling name, with what the wallet does with it', async () => {
  show('bitcoin-core');
  await screen.findByText('proof-to-sign-satoshi.psbt');
  expect(screen.getByText('proof-to-sign-satoshi.psbt')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Save the file to sign' })).toBeEnabled();
  expect(screen.getByText(/bitcoin-cli -regtest walletprocesspsbt .*base64 < proof-to-sign-satoshi\.psbt/)).toBeInTheDocument();
  expect(screen.getByRole('region', { name: 'What Bitcoin Core shows' })).toHaveTextContent(STATEMENT);
  expect(make.mock.calls.map(([, options]) => options)).toEqual([{ statement: STATEMENT, form: 'message' }]);
});

test('in development the development wallet signs the made file, which is then the chosen one', async () => {
  const calls = stubNetwork(() => ({ body: { psbt_base64: 'c2lnbmVk', file_name: 'signed.psbt' } }));
  const onSigned = vi.fn<(file: File) => void>();
  show('sparrow', false, onSigned);
  await userEvent.click(await screen.findByRole('button', { name: 'Sign with the Development Wallet' }));
  await vi.waitFor(() => expect(onSigned).toHaveBeenCalledOnce());
  const file = onSigned.mock.calls[0]?.[0];
  expect([file?.name, await file?.text()]).toEqual(['signed.psbt', 'signed']);
  expect(calls.map(({ url, body }) => [url.pathname, body])).toEqual([['/api/functions/v1/development-sign', { psbt_base64: 'cHM=' }]]);
});

test('what the development wallet does not sign is named', async () => {
  stubNetwork(() => ({ status: 400, body: { code: 'invalid-psbt', message: 'Input 1 spends no coin of your development wallet.' } }));
  const onSigned = vi.fn<(file: File) => void>();
  show(null, false, onSigned);
  await userEvent.click(await screen.findByRole('button', { name: 'Sign with the Development Wallet' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Input 1 spends no coin of your development wallet.');
  expect(onSigned).not.toHaveBeenCalled();
});

test('elsewhere there is no development wallet', async () => {
  show('sparrow');
  await screen.findByRole('button', { name: 'Save the file to sign' });
  expect(screen.queryByText(/development wallet/)).toBeNull();
});

test('Electrum is offered a message on request, and its fee warning is named', async () => {
  show('electrum');
  await userEvent.click(await screen.findByRole('button', { name: 'Use a BIP-322 message instead' }));
  expect(await screen.findByText(/shows the whole amount as the fee/)).toBeInTheDocument();
  await screen.findByRole('button', { name: /Use a transaction that no node accepts/ });
  expect(make.mock.calls.map(([, { form }]) => form)).toEqual(['transaction', 'message']);
});

test.each(['sparrow', 'ledger', 'trezor', 'jade', 'keystone', 'bluewallet', 'nunchuk', null])('%s is offered no message', async (wallet) => {
  show(wallet);
  await screen.findByRole('button', { name: 'Save the file to sign' });
  expect(screen.queryByRole('button', { name: 'Use a BIP-322 message instead' })).toBeNull();
});

test('what a device has changed is made again as a transaction', async () => {
  show('coldcard', false, null, true);
  await screen.findByRole('button', { name: 'Save the file to sign' });
  expect(make.mock.lastCall?.[1]).toMatchObject({ form: 'transaction' });
});

test('what a device prints is shown in its own form, with site and name marked', async () => {
  show('ledger');
  const shown = await screen.findByRole('region', { name: 'What your Ledger shows' });
  const printed = shown.querySelector('[data-printed]');
  expect(printed).toHaveTextContent(`OP_RETURN 0x${hexOf(STATEMENT)}`);
  expect([...(printed?.querySelectorAll('mark') ?? [])].map(({ textContent }) => textContent)).toEqual([hexOf('reserves.example'), hexOf('satoshi')]);
  expect(shown).toHaveTextContent('Another site or name? Don’t sign.');
});

test.each([
  ['jade', 'OP_RETURN: <script length: 65 - cannot be displayed>'],
  ['bluewallet', 'Nothing of it can be read there.'],
])('where nothing can be read, as on %s, it says so, and what still protects', async (wallet, words) => {
  show(wallet);
  const shown = await screen.findByRole('region', { name: /^What .* shows$/ });
  expect(shown).toHaveTextContent(words);
  expect(shown).toHaveTextContent(/only addresses of your own, no fee, and this page checks what comes back/);
  expect(shown).not.toHaveTextContent('Another site or name?');
});

test('a signed file that is no proof is warned about', async () => {
  show('sparrow', true);
  expect(await screen.findByText('Your file is signed, so anyone who has it can send it')).toBeInTheDocument();
});

test('without a wallet it asks for one', async () => {
  const choose = show(null);
  await userEvent.selectOptions(await screen.findByLabelText('My wallet is'), 'ledger');
  expect(choose).toHaveBeenCalledWith('ledger');
});

test('what the wallet may need is named', async () => {
  make.mockResolvedValue({ ...MADE, notes: [{ code: 'no-previous-transaction', input: 0, message: 'Input 1 lacks its previous transaction.' }] });
  show('trezor');
  expect(await screen.findByText('Input 1 lacks its previous transaction.')).toBeInTheDocument();
});

test('a file that cannot become a proof gets a reason', async () => {
  make.mockRejectedValue(new ProofReadError('Input 2 does not say what it spends. Export it from the wallet again.', 'utxo-missing', 1));
  show('sparrow');
  const alert = await screen.findByRole('alert');
  expect(alert).toHaveTextContent('This file can’t become a proof.');
  expect(alert).toHaveTextContent('Input 2 does not say what it spends. Export it from the wallet again.');
});

test('coins on many addresses may be proven by several files of ten', async () => {
  make.mockImplementation(async (_bytes, { split }) => (split ? { ...MADE, scriptCount: 10, partCount: 3 } : { ...MADE, scriptCount: 25 }));
  show('ledger');
  await userEvent.click(await screen.findByRole('radio', { name: /Several files of ten addresses/ }));
  await userEvent.selectOptions(await screen.findByRole('combobox', { name: 'File' }), '2 of 3');
  expect(await screen.findByText('proof-to-sign-satoshi-2-of-3.psbt')).toBeInTheDocument();
  expect(make.mock.lastCall?.[1]).toMatchObject({ form: 'transaction', split: 10, part: 1 });
  // The page counts them, and keeps the file that they are made of.
  expect(onBatch).toHaveBeenLastCalledWith({ source: FILE, of: 3, done: 1 });
  await userEvent.click(screen.getByRole('radio', { name: /names the first ten as yours/ }));
  await vi.waitFor(() => expect(make.mock.lastCall?.[1]).toMatchObject({ derivations: 'first-ten' }));
});

test('the made file is shown as QR codes on request, in the form that the device reads', async () => {
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  show('coldcard');
  await userEvent.click(await screen.findByRole('button', { name: 'Show as QR codes' }));
  expect(await screen.findByRole('img', { name: 'QR code of proof-to-sign-satoshi.psbt' })).toBeInTheDocument();
  expect(screen.getByLabelText('Form')).toHaveValue('bbqr');
});

test('making a proof can be stopped, and started again', async () => {
  make.mockRejectedValueOnce(new ProofReadError('It was stopped.', STOPPED));
  show('sparrow');
  expect(await screen.findByText('You stopped it: no proof was made')).toBeInTheDocument();
  await userEvent.click(screen.getByRole('button', { name: 'Make the Proof' }));
  expect(await screen.findByRole('button', { name: 'Save the file to sign' })).toBeInTheDocument();
});
