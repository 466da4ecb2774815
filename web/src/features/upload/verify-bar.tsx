import { useId } from 'react';
import { Button } from '../../ui/button';
import { Spinner } from '../../ui/spinner';

interface VerifyBarProps {
  isSending: boolean;
  /** Why the file cannot be sent now; null when it can. */
  refusal: string | null;
  onSend: () => void;
}

/** The one button that sends, always in reach at the foot of the window; it says what is missing as long as it waits. */
export function VerifyBar({ isSending, refusal, onSend }: VerifyBarProps) {
  const id = useId();
  const waiting = refusal !== null && !isSending;
  return (
    <div data-foot="" className="print:hidden sticky bottom-0 z-20 -mx-4 border-t border-line bg-canvas px-4 py-3 sm:-mx-6 sm:px-6">
      <Button
        size="large"
        className="w-full"
        disabled={isSending || waiting}
        aria-describedby={waiting ? id : undefined}
        onClick={onSend}
      >
        {isSending && <Spinner className="text-on-accent" />}
        {isSending ? 'Verifying...' : 'Verify PSBT'}
      </Button>
      {waiting && (
        <p id={id} role="status" className="mt-2 text-center text-sm text-muted">
          {refusal}
        </p>
      )}
    </div>
  );
}
