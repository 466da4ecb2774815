import { ReceiptButton } from '../board-log/receipt-button';

/** The receipt, beside what is one's own. */
export function ReceiptRow() {
  return (
    <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
      <p className="max-w-md text-sm text-muted">A receipt of your row on the board, which anybody can check, for ever and offline.</p>
      <ReceiptButton />
    </div>
  );
}
