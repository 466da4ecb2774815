import { Check } from 'lucide-react';
import { formatFileSize, plural } from '../../lib/format';
import type { ProofContents } from '../../psbt';
import { Spinner } from '../../ui/spinner';

/**
 * The progress of a file once the button is pressed. The first two steps were done on this device; the server does the
 * rest in one go and answers when all of it is done, so only what has really happened has a tick.
 */
export function Steps({ contents }: { contents: ProofContents }) {
  const { report, strippedBytes } = contents;
  return (
    <ol role="status" aria-label="Progress" className="space-y-3 rounded-card border border-line bg-surface p-5 text-sm shadow-card">
      <Step done text={`Read on this device: ${plural(report.inputs.length, 'coin')}`} />
      <Step done text={`Private parts removed: ${formatFileSize(strippedBytes)} sent`} />
      <Step text="The server checks every signature, then looks every coin up on the chain" />
    </ol>
  );
}

function Step({ done, text }: { done?: boolean; text: string }) {
  return (
    <li className="flex items-center gap-3">
      {done ? <Check className="size-5 shrink-0 text-positive" aria-hidden="true" /> : <Spinner className="shrink-0" />}
      <span className={done ? 'text-muted' : 'font-semibold'}>
        {text}
        {done && <span className="sr-only"> (done)</span>}
      </span>
    </li>
  );
}
