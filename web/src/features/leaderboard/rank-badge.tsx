import { Trophy } from 'lucide-react';
import { cx } from '../../lib/cx';
import { formatCount, NOT_AVAILABLE } from '../../lib/format';

const METALS: Record<number, string> = {
  1: 'bg-[#fbe6b0] dark:bg-[#4a3608] text-[#6d4a00] dark:text-[#ffd76a]',
  2: 'bg-[#e4e8ee] dark:bg-[#333a46] text-[#48505e] dark:text-[#d5dce8]',
  3: 'bg-[#f6dcc8] dark:bg-[#46291a] text-[#7a3f17] dark:text-[#f0b48c]',
};

/** Trophies for the first three ranks, numbers for the rest. */
export function RankBadge({ rank }: { rank: number | null }) {
  if (rank === null) return <span className="text-sm text-muted">{NOT_AVAILABLE}</span>;
  const metal = METALS[rank];
  if (!metal) return <span className="num text-xs text-muted lg:text-sm">{formatCount(rank)}</span>;
  return (
    <span className={cx('inline-flex items-center gap-1 rounded-full px-1.5 py-0.5 align-middle text-sm font-bold lg:px-2', metal)}>
      <Trophy className="size-3.5" aria-hidden="true" />
      <span className="sr-only">Rank</span>
      <span className="num">{rank}</span>
    </span>
  );
}
