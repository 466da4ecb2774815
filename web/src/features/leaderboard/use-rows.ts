import { useEffect, useState } from 'react';
import { useQueries, type UseQueryResult } from '@tanstack/react-query';
import { BOARD_PAGE, boardPageQuery, type BoardEntry, type BoardFilter, type BoardPage } from '../../api/board';

/** Rows fetched beyond those in sight. */
const AHEAD = 50;
/** Milliseconds between two fetches while a reader drags the scroll bar across the whole board. */
const PAUSE_MS = 120;

/** The pages of these rows and of those around them. */
export function pagesFor(first: number, last: number, total: number): number[] {
  const from = Math.floor(Math.max(0, first - AHEAD) / BOARD_PAGE);
  const to = Math.floor(Math.min(total - 1, last + AHEAD) / BOARD_PAGE);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}

/** Fetches the rows in sight. The result returns a row by its position; undefined while its page is loading. */
export function useRows(filter: BoardFilter, first: number, last: number, total: number) {
  const wanted = useEvery(PAUSE_MS, pagesFor(first, last, total).join());
  const pages = wanted === '' ? [] : wanted.split(',').map(Number);
  const loaded = useQueries({
    queries: pages.map((page) => boardPageQuery(filter, page)),
    combine: rowsByPage,
  });
  return (index: number): BoardEntry | undefined => {
    const rows = loaded[pages.indexOf(Math.floor(index / BOARD_PAGE))];
    return rows?.[index % BOARD_PAGE];
  };
}

const rowsByPage = (results: UseQueryResult<BoardPage>[]) => results.map(({ data }) => data?.rows);

/** The value, which changes at most once in this time. */
function useEvery<T>(pauseMs: number, value: T): T {
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
