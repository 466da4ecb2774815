import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { UserFacingError } from '../../lib/errors';
import { open } from '../../testing/render';
import { download } from '../../lib/download';
import { ReceiptButton } from './receipt-button';

const fetchReceipt = vi.hoisted(() => vi.fn());
vi.mock('./receipt', () => ({ fetchReceipt }));
vi.mock('../../lib/download', () => ({ download: vi.fn() }));

test('a receipt is handed over as a file, and what it shows is said', async () => {
  const row = { id: 'me', provider: 'mock', username: 'me' };
  fetchReceipt.mockResolvedValue({ text: 'receipt', shown: { origin: 'here/log', height: 1_000, block: 'ff', at: '', row }, holdings: '1.25000000 BTC', cosigned: 2, witnesses: 3 });
  open(<ReceiptButton />);
  await userEvent.click(screen.getByRole('button', { name: 'Receipt' }));
  expect(await screen.findByRole('status')).toHaveTextContent('as of block 1000: 1.25000000 BTC');
  expect(screen.getByRole('status')).toHaveTextContent('Witnesses that cosigned it: 2 of 3.');
  expect(vi.mocked(download).mock.calls[0]?.[0].name).toBe('proof-of-reserves-block-1000.tlog-proof');
});

test('a receipt that is false, or not there yet, is not handed over', async () => {
  vi.mocked(download).mockClear();
  fetchReceipt.mockRejectedValue(new UserFacingError('Your row is not in the log yet.'));
  open(<ReceiptButton />);
  await userEvent.click(screen.getByRole('button', { name: 'Receipt' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Your row is not in the log yet.');
  expect(download).not.toHaveBeenCalled();
});
