import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { keptFile } from '../../lib/kept-file';
import { checkProofSignatures, combineProofs, readProof, type ProofContents, type PsbtReport } from '../../psbt';
import { stubNetwork } from '../../testing/network';
import { open } from '../../testing/render';
import InspectPage from './inspect-page';

vi.mock('../../psbt', async (original) => ({
  ...(await original<typeof import('../../psbt')>()),
  readProof: vi.fn<typeof readProof>(),
  combineProofs: vi.fn<typeof combineProofs>(),
  checkProofSignatures: vi.fn<typeof checkProofSignatures>(),
  closeProofReader: () => {},
}));

const report = {
  format: 'psbt',
  version: 0,
  encoding: 'binary',
  txid: 'ab'.repeat(32),
  transactionVersion: 2,
  lockTime: 0,
  inputs: [],
  outputs: [{ valueSats: 5n, scriptPubKey: '0014aa', address: 'bc1qreceiver', scriptType: 'p2wpkh' }],
  totalInputSats: 7n,
  totalOutputSats: 5n,
  feeSats: 2n,
  privateFields: { extendedPublicKeys: 3, derivationPaths: 0, proprietary: 0, unknown: 0, previousTransactions: 0 },
  warnings: [],
} as unknown as PsbtReport;
const CONTENTS: ProofContents = { report, psbtBase64: 'cHNidP8=', strippedBytes: 5 };

let asked: string[];
beforeEach(() => {
  asked = [];
  stubNetwork(({ method, url }) => {
    asked.push(`${method} ${url.pathname}`);
    return { body: { network: 'mainnet', max_file_bytes: 1000 } };
  });
  vi.mocked(readProof).mockResolvedValue(CONTENTS);
  vi.mocked(checkProofSignatures).mockResolvedValue({ complete: true, inputs: [] });
});

const choose = async (name: string) => userEvent.upload(await screen.findByLabelText('PSBT file'), new File(['x'], name));

test('a visitor sees what is in a file, and nothing is sent', async () => {
  open(<InspectPage />, { path: '/inspect' });
  await choose('wallet.psbt');
  expect(await screen.findByText('0.00000007 BTC')).toBeInTheDocument();
  expect(screen.getByText('bc1qreceiver')).toBeInTheDocument();
  expect(screen.getByText('3 extended public keys')).toBeInTheDocument();
  expect(await screen.findByText(/Only the chain knows whether the coins are unspent/)).toBeInTheDocument();
  expect(screen.getByRole('button', { name: /Download without private data/ })).toBeEnabled();
  expect(asked).toEqual(['GET /api/functions/v1/app-config']);
  expect(keptFile()).toBeNull();
});

test('parts of several signers are put together', async () => {
  vi.mocked(combineProofs).mockResolvedValue(Uint8Array.from([1]));
  open(<InspectPage />, { path: '/inspect' });
  await choose('alice.psbt');
  await screen.findByText('bc1qreceiver');
  await choose('bob.psbt');
  expect(await screen.findByText('2 files of different signers are put together here.')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'Download the combined file' })).toBeEnabled();
});

test('a file can be taken along to be proven', async () => {
  const { path } = open(<InspectPage />, { path: '/inspect' });
  await choose('wallet.psbt');
  await userEvent.click(await screen.findByRole('button', { name: 'Verify these coins' }));
  await vi.waitFor(() => expect(path()).toBe('/upload'));
  expect(keptFile()?.name).toBe('wallet.psbt');
});

test('a message over coins is shown, without a fee', async () => {
  vi.mocked(readProof).mockResolvedValue({
    ...CONTENTS,
    report: { ...report, message: 'hello', outputs: [{ valueSats: 0n, scriptPubKey: '6a', address: null, scriptType: 'op-return', silentPayment: null }] },
  });
  open(<InspectPage />, { path: '/inspect' });
  await choose('message.psbt');
  expect(await screen.findByText('hello')).toBeInTheDocument();
  expect(screen.getByText('None: it is a message')).toBeInTheDocument();
});
