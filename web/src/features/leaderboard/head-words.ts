import type { BoardSummary } from '../../api/types';
import { amountParts, formatCount, plural } from '../../lib/format';
import { HOLDER_TIERS, type HolderTier } from '../../lib/holder-tier';

/** What the head of the leaderboard says. The server says the same in the first page (`page_words` there). */
export interface HeadWords {
  /** What is proven: up to the point, from there to the last digit that is no zero, and the zeros behind that. */
  sum: string;
  fraction: string;
  zeros: string;
  holders: string;
  /** The newest block whose spendings are known. */
  block: 'known' | 'unknown';
  height: string;
}

export function headWords({ bitcoin, holders, block }: BoardSummary): HeadWords {
  const [sum, fraction, zeros] = amountParts(bitcoin);
  return {
    sum,
    fraction,
    zeros,
    holders: plural(holders, 'holder'),
    block: block === null ? 'unknown' : 'known',
    height: block === null ? '' : formatCount(block.height),
  };
}

/** The highest bar. */
const HIGHEST = 40;

/** How many holders are of each tier, in words, and how high their bars are. */
export function tierWords({ tiers }: BoardSummary) {
  const most = Math.max(1, ...tiers.map(({ holders }) => holders));
  const words: Record<string, string | number> = {};
  for (const name of HOLDER_TIERS) {
    const holders = tiers.find((tier) => tier.name === name)?.holders ?? 0;
    words[`count${name}`] = formatCount(holders);
    words[`bar${name}`] = holders === 0 ? 0 : Math.max(2, Math.floor((holders * HIGHEST) / most));
  }
  return words as Record<`count${HolderTier}`, string> & Record<`bar${HolderTier}`, number>;
}
