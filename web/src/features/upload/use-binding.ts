import { useQuery } from '@tanstack/react-query';
import { workQuery } from '../../lib/work-query';
import { type Binding, bindingOf, isStop } from '../../psbt';

/** Whose a file is, as far as this device can tell. */
export interface Judged {
  /** Nothing while that is looked at; null without a statement, and when this device cannot tell. */
  binding: Binding | null | undefined;
  /** Whether it cannot tell because it was stopped. */
  stopped: boolean;
  /** Looks once more. */
  again: () => void;
}

/** Whether a file says whose it is, by the statement of an account: a hint, so that a mistake is seen before anything is sent. */
export function useBinding(file: File, statement: string | null): Judged {
  const judge = async () => bindingOf(new Uint8Array(await file.arrayBuffer()), statement ?? '');
  const { data, isFetching, isError, error, refetch } = useQuery({ ...workQuery('binding', [file, statement], judge), enabled: statement !== null });
  const binding = statement === null || (isError && !isFetching) ? null : data;
  return { binding, stopped: isStop(error), again: () => void refetch() };
}
