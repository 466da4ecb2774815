import type { ReactNode } from 'react';
import { messageOf } from '../lib/errors';
import { Button } from './button';
import { Notice } from './notice';

interface FailureProps {
  error: unknown;
  title?: string;
  /** What is shown when the error has no message that is meant for the user. */
  fallback: string;
  className?: string;
  /** What to do, when the message does not say it. */
  children?: ReactNode;
  /** For what can be tried again. */
  onRetry?: () => void;
}

/** The message of something that failed; nothing while it has not. */
export function Failure({ error, title, fallback, className, children, onRetry }: FailureProps) {
  if (!error) return null;
  return (
    <Notice tone="danger" role="alert" title={title} {...(className ? { className } : {})}>
      <p>{messageOf(error, fallback)}</p>
      {children}
      {onRetry && (
        <Button look="secondary" size="small" className="mt-2" onClick={onRetry}>
          Try Again
        </Button>
      )}
    </Notice>
  );
}

/** The same as a line below its button. */
export function FailureLine({ error, fallback }: Pick<FailureProps, 'error' | 'fallback'>) {
  if (!error) return null;
  return (
    <span role="alert" className="block basis-full text-sm text-danger">
      {messageOf(error, fallback)}
    </span>
  );
}
