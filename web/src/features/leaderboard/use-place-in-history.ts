import { useEffect, useMemo } from 'react';

/** What an entry of the history remembers of the board. */
interface Kept {
  place?: number;
}

function stateOf(): Kept {
  const state: unknown = history.state;
  return typeof state === 'object' && state !== null ? state : {};
}

/**
 * Remembers with each entry of the history where on the board its reader was, in pixels. The browser remembers where on the page that
 * was, which is not the same on a long board.
 */
export function usePlaceInHistory() {
  useEffect(() => {
    history.scrollRestoration = 'manual';
    return () => {
      history.scrollRestoration = 'auto';
    };
  }, []);
  return useMemo(
    () => ({
      /** Null above the first row. */
      keep: (place: number | null) => {
        const { place: before, ...rest } = stateOf();
        if (place === (before ?? null)) return;
        try {
          history.replaceState(place === null ? rest : { ...rest, place: Math.round(place) }, '');
        } catch {
          // Some browsers take so many a minute; the next time it stops is soon enough.
        }
      },
      kept: (): number | null => stateOf().place ?? null,
    }),
    [],
  );
}
