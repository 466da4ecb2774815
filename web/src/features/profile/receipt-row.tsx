import { ReceiptButton } from '../board-log/receipt-button';

/** Downloads a receipt. */
export function ReceiptRow() {
  return (
    <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
      <p className="max-w-md text-sm text-muted">A signed receipt of your rank. Anyone can verify it, even offline.</p>
      <ReceiptButton />
    </div>
  );
}
