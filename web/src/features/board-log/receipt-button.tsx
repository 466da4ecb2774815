import { ReceiptText } from 'lucide-react';
import { useMutation } from '@tanstack/react-query';
import { download } from '../../lib/download';
import { NOT_AVAILABLE } from '../../lib/format';
import { Button } from '../../ui/button';
import { Failure } from '../../ui/failure';
import { Notice } from '../../ui/notice';

/** Downloads a receipt of the user's own row: a file that shows what the board showed at a block, even offline. */
export function ReceiptButton({ waits = false }: { /** Whether the row is not in the log yet. */ waits?: boolean }) {
  const receipt = useMutation({
    mutationFn: async () => {
      const { fetchReceipt } = await import('./receipt');
      const { text, ...checked } = await fetchReceipt();
      download(new File([text], `proof-of-reserves-block-${checked.shown.height}.tlog-proof`, { type: 'text/plain' }));
      return checked;
    },
  });
  return (
    <>
      <Button icon={ReceiptText} look="secondary" disabled={receipt.isPending || waits} onClick={() => receipt.mutate()}>
        Receipt
      </Button>
      {receipt.isSuccess && (
        <Notice tone="positive" role="status" className="col-span-full w-full text-left">
          <p>
            The file shows your row as of block {receipt.data.shown.height}: <span className="num">{receipt.data.holdings ?? NOT_AVAILABLE}</span>. What has changed since comes
            into the log with the next block.
            {receipt.data.witnesses > 0 && ` Witnesses that cosigned it: ${receipt.data.cosigned} of ${receipt.data.witnesses}.`}
          </p>
        </Notice>
      )}
      <Failure error={receipt.error} fallback="Couldn’t download the receipt. Try again." className="col-span-full w-full text-left" />
    </>
  );
}
