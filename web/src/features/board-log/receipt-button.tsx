import { ReceiptText } from 'lucide-react';
import { useMutation } from '@tanstack/react-query';
import { messageOf } from '../../api/client';
import { download } from '../../lib/download';
import { NOT_AVAILABLE } from '../../lib/format';
import { amountWords } from '../../lib/shown';
import { Button } from '../../ui/button';
import { Notice } from '../../ui/notice';

const SATS = 100_000_000;

/** Downloads a receipt of the user's own row: a file that shows what the board showed at a block, even offline. */
export function ReceiptButton() {
  const receipt = useMutation({
    mutationFn: async () => {
      const { fetchReceipt } = await import('./receipt');
      const { text, ...checked } = await fetchReceipt();
      download(new File([text], `proof-of-reserves-block-${checked.shown.height}.tlog-proof`, { type: 'text/plain' }));
      return checked;
    },
  });
  const row = receipt.data?.shown.row;
  const sats = row?.holdings_sats;
  const amount = typeof sats === 'number' ? `${amountWords({ bitcoin_holdings: sats / SATS, shown_as: row?.['shown_as'] === 'range' ? 'range' : 'exact' })} BTC` : NOT_AVAILABLE;
  return (
    <>
      <Button look="secondary" disabled={receipt.isPending} onClick={() => receipt.mutate()}>
        <ReceiptText className="size-4" aria-hidden="true" />
        Receipt
      </Button>
      {receipt.isSuccess && (
        <Notice tone="positive" role="status" className="w-full">
          <p>
            The file shows your row as of block {receipt.data.shown.height}:{' '}
            <span className="num">{amount}</span>. What has changed since comes
            into the log with the next block.
            {receipt.data.witnesses > 0 && ` Witnesses that cosigned it: ${receipt.data.cosigned} of ${receipt.data.witnesses}.`}
          </p>
        </Notice>
      )}
      {receipt.isError && (
        <Notice tone="danger" role="alert" className="w-full">
          <p>{messageOf(receipt.error, 'Failed to download the receipt.')}</p>
        </Notice>
      )}
    </>
  );
}
