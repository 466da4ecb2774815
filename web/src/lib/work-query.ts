import { queryOptions } from '@tanstack/react-query';

const ids = new WeakMap<object, number>();
let lastId = 0;

/** Files and bytes have no text to tell them apart: each is known by a number. */
function keyOf(input: unknown): unknown {
  if (!(input instanceof Object)) return input;
  const id = ids.get(input) ?? ++lastId;
  ids.set(input, id);
  return id;
}

/** Work for a screen, done once for its inputs and forgotten when nothing shows it. The network is not needed for it. */
export function workQuery<Value>(name: string, inputs: readonly unknown[], work: (context: { signal: AbortSignal }) => Promise<Value>) {
  return queryOptions({ queryKey: [name, ...inputs.map(keyOf)], queryFn: work, networkMode: 'always', staleTime: Infinity, gcTime: 0, retry: false });
}
