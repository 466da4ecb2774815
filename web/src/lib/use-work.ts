import { useEffect, useState } from 'react';

interface Work<Value> {
  /** Undefined until the work is done, and again while it is done for other inputs. */
  value: Value | undefined;
  again: () => void;
}

/** Does some work when its inputs change. Work that fails gives no value. */
export function useWork<Value>(work: (signal: AbortSignal) => Promise<Value>, inputs: readonly unknown[]): Work<Value> {
  const [attempt, setAttempt] = useState(0);
  const [done, setDone] = useState<{ for: unknown[]; value: Value } | null>(null);
  const wanted = [...inputs, attempt];
  useEffect(() => {
    const stop = new AbortController();
    work(stop.signal).then(
      (value) => !stop.signal.aborted && setDone({ for: wanted, value }),
      () => {},
    );
    return () => stop.abort();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the inputs say when the work is another
  }, wanted);
  const isDone = done?.for.every((input, at) => Object.is(input, wanted[at]));
  return { value: isDone ? done?.value : undefined, again: () => setAttempt(attempt + 1) };
}
