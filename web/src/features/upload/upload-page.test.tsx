import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { stubNetwork } from '../../testing/network';
import { open } from '../../testing/render';
import { signedIn } from '../../testing/session';
import UploadPage from './upload-page';

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
function serve(ready: () => boolean, binding = 'required') {
  return stubNetwork(({ url }) => {
    if (url.pathname.endsWith('/app-config')) return { body: CONFIG };
    if (url.pathname.endsWith('/psbts')) return { body: [] };
    if (!ready()) return { status: 503, body: { message: 'The database is away.', code: 'unavailable' } };
    return {
      body: { statement: STATEMENT, counts_until: '2026-12-20T00:00:00Z', counts_until_block: 979_782, block: { height: 975_744, hash: '00', header: '00' }, binding, lock_time: 452_038_930, output_script: '6a' },
    };
  });
}

const show = () => open(<UploadPage />, { path: '/upload', session: signedIn() });

afterEach(() => void vi.useRealTimers());

test('the statement is shown with what it is for, how long it counts and how to use it by hand', async () => {
  serve(() => true);
  show();
  expect(screen.getByText('Checking your upload limits...')).toBeInTheDocument();
  expect(await screen.findByText(STATEMENT)).toBeInTheDocument();
  const card = screen.getByRole('heading', { name: 'Your statement' }).closest('section');
  expect(card).toHaveTextContent(/Sign before block 979,782, about Dec \d+, 2026/);
  // Why it is safe is said once.
  expect(document.body.textContent?.match(/Signing moves nothing/g)).toHaveLength(1);
  const hex = Buffer.from(STATEMENT, 'ascii').toString('hex');
  expect(card).toHaveTextContent(`"sequence":4294967293}]' '[{"your address":0.00000000},{"data":"${hex}"}]' 452038930`);
  expect(card).not.toHaveTextContent('optional');
});

test('where it is optional the page says what that means', async () => {
  serve(() => true, 'optional');
  show();
  expect(await screen.findByText(/Here it is optional: a file without it counts until/)).toBeInTheDocument();
});

test('a statement that does not come is said, and is asked for again', async () => {
  let there = false;
  serve(() => there);
  show();
  const trouble = await screen.findByRole('alert');
  expect(trouble).toHaveTextContent('Couldn’t get your statement');
  expect(trouble).toHaveTextContent('The database is away.');
  there = true;
  await userEvent.click(screen.getByRole('button', { name: 'Try Again' }));
  expect(await screen.findByText(STATEMENT)).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('it comes by itself as well', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let there = false;
  serve(() => there);
  show();
  await screen.findByText('The database is away.');
  // The form stays while it is asked for.
  const zone = screen.getByLabelText('PSBT file');
  await vi.advanceTimersByTimeAsync(5_000);
  expect(screen.getByLabelText('PSBT file')).toBe(zone);
  there = true;
  await vi.advanceTimersByTimeAsync(5_000);
  expect(await screen.findByText(STATEMENT)).toBeInTheDocument();
});

test('the first step asks for the wallet once, and for its file; there is nothing to press that does nothing', async () => {
  serve(() => true);
  show();
  expect(await screen.findByText('No file selected.')).toBeInTheDocument();
  expect(screen.queryByRole('button', { name: /^Prove/ })).toBeNull();
  await userEvent.click(screen.getByRole('radio', { name: 'Sparrow' }));
  expect(screen.getByText('Drop the file from Sparrow')).toBeInTheDocument();
  expect(screen.getByText('Sparrow needs a label before it continues.')).toBeInTheDocument();
  expect(localStorage.getItem('wallet')).toBe('sparrow');
  await userEvent.selectOptions(screen.getByLabelText('All wallets'), 'bluewallet');
  expect(screen.getByText(/its next button sends/)).toBeInTheDocument();
  localStorage.clear();
});
