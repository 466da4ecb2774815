import { Check } from 'lucide-react';
import { formatFileSize, plural } from '../../lib/format';
import type { ProofContents } from '../../psbt';
import { Working } from '../../ui/working';

/**
 * The progress of a file once the button is pressed. The first two steps were done on this device; the server does the
 * rest in one go and answers when all of it is done, so only what has really happened has a tick.
 */
export function Steps({ contents, onStop }: { contents: ProofContents; onStop: () => void }) {
  const { report, strippedBytes } = contents;
  return (
    <ol aria-label="Progress" className="space-y-3 rounded-card border border-line bg-surface p-5 text-sm shadow-card">
      <Step text={`Read on this device: ${plural(report.inputs.length, 'coin')}`} />
      <Step text={`Private parts removed: ${formatFileSize(strippedBytes)} sent`} />
      <li>
        <Working onStop={onStop}>The server checks every signature, then looks every coin up on the chain</Working>
      </li>
    </ol>
  );
}

function Step({ text }: { text: string }) {
  return (
    <li className="flex items-center gap-3">
      <Check className="size-5 shrink-0 text-positive" aria-hidden="true" />
      <span className="text-muted">
        {text}
        <span className="sr-only"> (done)</span>
      </span>
    </li>
  );
}
