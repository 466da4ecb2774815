import { useLayoutEffect, useRef, type RefObject } from 'react';
import type { BoardEntry } from '../../api/board';

const MOVE_MS = 320;

/** Rows glide to their new positions when the board changes. Scrolling gives no row another position. */
export function useMoves(list: RefObject<HTMLElement | null>, rowAt: (index: number) => BoardEntry | undefined, from: number, to: number): void {
  const before = useRef(new Map<string, number>());
  useLayoutEffect(() => {
    const now = new Map<string, number>();
    const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches;
    for (let index = from; index < to; index++) {
      const id = rowAt(index)?.id;
      if (id === undefined) continue;
      now.set(id, index);
      const was = before.current.get(id);
      if (was === undefined || was === index || still) continue;
      const row = list.current?.querySelector<HTMLElement>(`tr[data-index="${index}"]`);
      row?.animate([{ transform: `translateY(${(was - index) * row.offsetHeight}px)` }, { transform: 'none' }], { duration: MOVE_MS, easing: 'ease-out' });
    }
    before.current = now;
  });
}
