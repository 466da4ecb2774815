import { useEffect, useState } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { flushSync } from 'react-dom';
import { BOARD_PAGE, boardPageQuery, type BoardFilter } from '../../api/board';

/** Nobody prints more rows than this. */
const MOST = 1_000;

/**
 * How many rows are printed, from the first on, while the page is; null otherwise. Printing does not wait, so it is those that have been
 * fetched.
 */
export function usePrintedRows(filter: BoardFilter, total: number): number | null {
  const client = useQueryClient();
  const [printed, setPrinted] = useState<number | null>(null);
  useEffect(() => {
    const fetched = () => {
      let rows = 0;
      while (rows < MOST && client.getQueryData(boardPageQuery(filter, rows / BOARD_PAGE).queryKey)) rows += BOARD_PAGE;
      return Math.min(rows, total);
    };
    const begin = () => flushSync(() => setPrinted(fetched()));
    const end = () => setPrinted(null);
    window.addEventListener('beforeprint', begin);
    window.addEventListener('afterprint', end);
    return () => {
      window.removeEventListener('beforeprint', begin);
      window.removeEventListener('afterprint', end);
    };
  }, [client, filter, total]);
  return printed;
}
