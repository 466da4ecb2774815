import { useState, type ReactNode } from 'react';
import { formatElapsed } from '../lib/format';
import { useNow } from '../lib/use-now';
import { Button } from './button';
import { Spinner } from './spinner';

const SECOND = 1000;

interface WorkingProps {
  /** The current work. */
  children: ReactNode;
  /** Its progress, if known. */
  progress?: { done: number; of: number } | undefined;
  onStop: () => void;
}

/** Running work: after a second with the elapsed time and a stop button. */
export function Working({ children, progress, onStop }: WorkingProps) {
  const now = useNow(SECOND);
  const [began] = useState(now);
  const seconds = Math.round((now - began) / SECOND);
  return (
    <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-2 text-sm">
      <Spinner className="shrink-0" />
      <p role="status" className="min-w-0 flex-1 basis-48 font-semibold [overflow-wrap:anywhere]">
        {children}
      </p>
      {seconds > 0 && (
        <>
          <span role="timer" className="num text-muted">
            {formatElapsed(seconds)}
          </span>
          <Button look="secondary" size="small" onClick={onStop}>
            Stop
          </Button>
          <progress
            className="h-1.5 basis-full accent-accent"
            aria-label="Progress"
            {...(progress ? { max: progress.of, value: progress.done } : {})}
          />
        </>
      )}
    </div>
  );
}
