import { useEffect, useState, type RefObject } from 'react';

/** How many rows come into the page and leave it together. */
const STEP = 25;

/**
 * Which rows are in the page, from the first up to but without the last: those on show, and as many steps before and after
 * them that the reader does not see rows come. All rows are of one height. At the top of the board it is the rows that the
 * server writes into the first page.
 */
export function useWindow(scroller: RefObject<HTMLElement | null>, height: number, total: number): [from: number, to: number] {
  const [first, setFirst] = useState(0);
  const [last, setLast] = useState(0);
  useEffect(() => {
    const board = scroller.current;
    if (!board) return undefined;
    const look = () => {
      setFirst(Math.floor(board.scrollTop / height / STEP));
      setLast(Math.floor((board.scrollTop + board.clientHeight) / height / STEP));
    };
    look();
    board.addEventListener('scroll', look, { passive: true });
    const size = new ResizeObserver(look);
    size.observe(board);
    return () => {
      board.removeEventListener('scroll', look);
      size.disconnect();
    };
  }, [scroller, height]);
  // The board may have become shorter than where its reader was.
  const from = Math.max(0, Math.min((first - 1) * STEP, total - STEP));
  return [from, Math.min(total, Math.max((last + 2) * STEP, from + STEP))];
}
