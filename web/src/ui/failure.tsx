import type { ReactNode } from 'react';
import { messageOf } from '../lib/errors';
import { Notice } from './notice';

interface FailureProps {
  error: unknown;
  /** The message of an error that has none for the user. */
  fallback: string;
  className?: string;
  /** What to do, when the message does not say it. */
  children?: ReactNode;
}

/** The message of something that failed; nothing while it has not. */
export function Failure({ error, fallback, className, children }: FailureProps) {
  if (!error) return null;
  return (
    <Notice tone="danger" role="alert" {...(className ? { className } : {})}>
      <p>{messageOf(error, fallback)}</p>
      {children}
    </Notice>
  );
}

/** The same as a line below its button. */
export function FailureLine({ error, fallback }: Omit<FailureProps, 'className' | 'children'>) {
  if (!error) return null;
  return (
    <span role="alert" className="block basis-full text-sm text-danger">
      {messageOf(error, fallback)}
    </span>
  );
}
