import { useEffect } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { PROFILES_KEY } from '../../api/queries';
import type { ShownAs } from '../../api/types';

const PAUSE_MS = 60_000;

/** Live events cover only what others see. The owner of a range also refetches what it hides, every minute. */
export function useOwnRefresh(shownAs: ShownAs | undefined): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (shownAs !== 'range') return undefined;
    const timer = window.setInterval(() => {
      if (!document.hidden) void queries.invalidateQueries({ queryKey: PROFILES_KEY });
    }, PAUSE_MS);
    return () => window.clearInterval(timer);
  }, [queries, shownAs]);
}
