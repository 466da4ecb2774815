import { useQuery } from '@tanstack/react-query';
import { workQuery } from '../../lib/work-query';
import { type Binding, bindingOf } from '../../psbt';

/**
 * Whether a file says whose it is, by the statement of an account: a hint, so that a mistake is seen before anything is sent. Nothing while
 * that is looked at; null without a statement, and when this device cannot tell.
 */
export function useBinding(file: File, statement: string | null): Binding | null | undefined {
  const judge = async () => bindingOf(new Uint8Array(await file.arrayBuffer()), statement ?? '');
  const { data, isError } = useQuery({ ...workQuery('binding', [file, statement], judge), enabled: statement !== null });
  return statement === null || isError ? null : data;
}
