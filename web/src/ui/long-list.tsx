import { useState, type ReactNode } from 'react';
import { formatCount } from '../lib/format';
import { Button } from './button';

/** Entries that are named; more are counted. */
const NAMED = 5;

/** The first entries of a list of faults or notes. */
export function FirstFew<T>({ items, render }: { items: T[]; render: (item: T) => ReactNode }) {
  return (
    <>
      <ul className="list-disc space-y-1 pl-5">{items.slice(0, NAMED).map(render)}</ul>
      {items.length > NAMED && <p>And {formatCount(items.length - NAMED)} more.</p>}
    </>
  );
}

/** Rows that show at once; more wait behind a button, because a consolidation may have thousands. */
const FIRST_ROWS = 20;

interface LongListProps<T> {
  noun: string;
  items: T[];
  className: string;
  render: (item: T, index: number) => ReactNode;
}

/** A list that begins with its first rows. */
export function LongList<T>({ noun, items, className, render }: LongListProps<T>) {
  const [all, setAll] = useState(false);
  const shown = all ? items : items.slice(0, FIRST_ROWS);
  return (
    <>
      <ol className={className}>{shown.map(render)}</ol>
      {shown.length < items.length && (
        <Button look="ghost" className="mt-2" onClick={() => setAll(true)}>
          Show all {formatCount(items.length)} {noun}s
        </Button>
      )}
    </>
  );
}
