import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ProofReadError, readProof, recognizeText } from '../../psbt';
import { stubNetwork } from '../../testing/network';
import { open } from '../../testing/render';
import { signedIn } from '../../testing/session';
import UploadPage from './upload-page';

vi.mock('../../psbt', async (original) => ({
  ...(await original<typeof import('../../psbt')>()),
  readProof: vi.fn<typeof readProof>(),
  recognizeText: vi.fn<typeof recognizeText>(),
}));

const STATEMENT = 'Proof of Reserves reserves.example satoshi 7m2kq4xw9d3rt5yb8n6c';
const CONFIG = {
  network: 'regtest',
  development: false,
  max_file_bytes: 1000,
  max_body_bytes: 1000,
  max_inputs: 10,
  sign_in: [],
};

/** Serves the page; the statement comes when `ready` says so. */
function serve(ready: () => boolean, latest: string | null = null) {
  return stubNetwork(({ url }) => {
    if (url.pathname.endsWith('/app-config')) return { body: CONFIG };
    if (url.pathname.endsWith('/psbts')) return { body: latest ? [{ created_at: latest }] : [] };
    if (!ready()) return { status: 503, body: { message: 'The database is away.', code: 'unavailable' } };
    return {
      body: { statement: STATEMENT, counts_until: '2026-12-20T00:00:00Z', counts_until_block: 979_782, block: { height: 975_744, hash: '00', header: '00' }, binding: 'required', lock_time: 452_038_930, output_script: '6a' },
    };
  });
}

const show = () => open(<UploadPage />, { path: '/upload', session: signedIn() });

afterEach(() => void vi.useRealTimers());

test('a statement that does not come is said, and is asked for again', async () => {
  let there = false;
  serve(() => there);
  show();
  const trouble = await screen.findByRole('alert');
  expect(trouble).toHaveTextContent('Couldn’t get your statement');
  expect(trouble).toHaveTextContent('The database is away.');
  there = true;
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('it comes by itself as well', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let there = false;
  serve(() => there);
  show();
  await screen.findByText('The database is away.');
  // The form stays while the statement is loading.
  const zone = screen.getByLabelText('PSBT file');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(screen.getByLabelText('PSBT file')).toBe(zone);
  there = true;
  await vi.advanceTimersByTimeAsync(5_000);
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
});

test('the first step asks for the wallet once, and for its file; there is nothing to press that does nothing', async () => {
  serve(() => true);
  show();
  expect(screen.getByText('Checking your upload limits...')).toBeInTheDocument();
  expect(await screen.findByText('No file selected.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /^Verify/ })).toBeNull();
  await userEvent.selectOptions(screen.getByLabelText('My wallet is'), 'Sparrow');
  expect(await screen.findByText('Sparrow needs a label before it continues.')).toBeInTheDocument();
  expect(screen.getByText(/^Run: its display of the statement.* November 2026\.$/)).toBeInTheDocument();
  expect(localStorage.getItem('wallet')).toBe('sparrow');
  // The steps come before the drop zone for their file.
  const zone = screen.getByLabelText('PSBT file');
  expect(screen.getByText('Sparrow needs a label before it continues.').compareDocumentPosition(zone)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  localStorage.clear();
});

test('what cannot be proven has a straight answer, and no place for a file', async () => {
  serve(() => true);
  show();
  await userEvent.selectOptions(await screen.findByLabelText('My wallet is'), 'An exchange');
  expect(await screen.findByText(/An exchange holds the keys for you/)).toBeInTheDocument();
  expect(screen.queryByLabelText('PSBT file')).toBeNull();
  // A wallet that was renamed is listed, with a note on its old name.
  await userEvent.selectOptions(screen.getByLabelText('My wallet is'), 'Ledger Wallet (Ledger Live)');
  expect(await screen.findByText(/the new name of Ledger Live/)).toBeInTheDocument();
  expect(screen.getByLabelText('PSBT file')).toBeInTheDocument();
  localStorage.clear();
});

test('a holder sees when the next proof is due', async () => {
  serve(() => true, '2026-11-01T00:00:00Z');
  show();
  expect(await screen.findByText('Jan 30, 2027')).toBeInTheDocument();
});

test('a pasted secret leaves the field at once, and nothing of it is shown', async () => {
  vi.mocked(readProof).mockRejectedValue(new ProofReadError('Invalid PSBT', 'invalid-magic'));
  vi.mocked(recognizeText).mockResolvedValue({ kind: 'seed-phrase', secret: true, message: 'This is a seed phrase.' } as never);
  serve(() => true);
  show();
  const field = await screen.findByLabelText('Paste the file as text');
  await userEvent.click(field);
  await userEvent.paste('legal winner thank year wave sausage worth useful legal winner thank yellow');
  expect(await screen.findByText('Never paste this anywhere. Nothing was kept or sent.')).toBeInTheDocument();
  expect(field).toHaveValue('');
  expect(document.body).not.toHaveTextContent(/pasted-|KB|winner/);
});
