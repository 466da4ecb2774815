import { useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { BOARD_PAGE, boardPageQuery, type BoardEntry, type BoardFilter } from '../../api/board';

/** Rows fetched beyond those in sight. */
const AHEAD = 40;
/** Milliseconds between two fetches while a reader drags the scroll bar across the whole board. */
const PAUSE_MS = 120;

/** Fetches the rows in sight. The result returns a row by its position; undefined while its page is loading. */
export function useRows(filter: BoardFilter, first: number, last: number, total: number) {
  const pageOf = (index: number) => Math.floor(Math.min(Math.max(index, 0), total - 1) / BOARD_PAGE);
  const from = useThrottled(pageOf(first - AHEAD), PAUSE_MS);
  const to = useThrottled(pageOf(last + AHEAD), PAUSE_MS);
  // A window never has more than two hundred rows: they are on at most three pages.
  const middle = Math.min(from + 1, to);
  const pages = [from, middle, to];
  const rows = [useRowsOf(filter, from), useRowsOf(filter, middle), useRowsOf(filter, to)];
  return (index: number): BoardEntry | undefined => rows[pages.indexOf(pageOf(index))]?.[index % BOARD_PAGE];
}

const useRowsOf = (filter: BoardFilter, page: number) => useQuery(boardPageQuery(filter, page)).data?.rows;

/** The value, which changes at most once in this time. */
function useThrottled<T>(value: T, pauseMs: number): T {
  const [shown, setShown] = useState(value);
  const [changedAt, setChangedAt] = useState(0);
  useEffect(() => {
    if (shown === value) return undefined;
    const timer = window.setTimeout(
      () => {
        setShown(value);
        setChangedAt(performance.now());
      },
      Math.max(0, changedAt + pauseMs - performance.now()),
    );
    return () => window.clearTimeout(timer);
  }, [value, shown, changedAt, pauseMs]);
  return shown;
}
