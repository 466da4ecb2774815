import type { ReactNode } from 'react';
import { BadgeCheck } from 'lucide-react';
import type { BoardEntry } from '../../api/board';
import { cx } from '../../lib/cx';
import { Avatar } from '../../ui/avatar';
import { Amount, FACE } from './entry-row';
import { rowWords, sinceWords } from './row-words';

interface OwnRowProps {
  entry: BoardEntry;
  price: number | null;
  today: number;
  /** Leads to the row, or to a first rank. */
  children: ReactNode;
}

/** The reader's own row at the foot of the window, while the real one is out of sight. */
export default function OwnRow({ entry, price, today, children }: OwnRowProps) {
  const words = rowWords(entry, price, today);
  const amount = <Amount words={words} verified={entry.verified} />;
  return (
    <section
      aria-label="Your place"
      className="row-grid h-12.5 items-center border-t-2 border-accent bg-accent-soft text-sm shadow-[0_-8px_24px_-12px_var(--shadow)] lg:h-10"
    >
      <span className="num font-semibold text-accent-ink">{words.rank}</span>
      <span className="contents min-w-0 lg:flex lg:items-center lg:gap-2.5">
        <span className={cx(FACE, 'shrink-0')}>
          <Avatar picture={words.picture} initial={words.initial} seed={entry.id} size="row" />
        </span>
        <span className="flex min-w-0 items-center gap-x-1.5 max-lg:flex-wrap">
          <span className="flex min-w-0 items-center gap-1.5 max-lg:basis-full">
            <bdi className="truncate font-semibold">{words.name}</bdi>
            {entry.verified && <BadgeCheck className="size-4 shrink-0 text-positive" aria-hidden="true" />}
          </span>
          <span className="shrink-0 text-xs font-medium text-accent-ink">(you)</span>
          <span className="num text-xs lg:hidden">{amount}</span>
        </span>
      </span>
      <span className="num hidden text-right whitespace-nowrap lg:inline">{amount}</span>
      <span className="num hidden text-right text-muted lg:inline">{words.usd}</span>
      <span className="num hidden whitespace-nowrap text-muted lg:inline">{entry.verified ? `Verified ${sinceWords(words.age)}` : 'Unverified'}</span>
      <span className="col-span-2 text-right whitespace-nowrap lg:col-span-1">{children}</span>
    </section>
  );
}
