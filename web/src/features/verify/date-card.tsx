import { formatSats, plural } from '../../lib/format';
import { Card } from '../../ui/card';
import { Fact } from '../../ui/fact';
import { AT_DATE, blockText, countsAtDate, dateText } from './at-date';
import type { AtDate } from './judge';

/** What stood at the date, with the blocks that bound it. */
export default function DateCard({ dates }: { dates: AtDate[] }) {
  const [first] = dates;
  if (!first) return null;
  const { lower, upper } = first.bounds;
  const kinds = countsAtDate(dates.flatMap(({ verdict }) => verdict.coins));
  const since = dates.reduce((sum, { verdict }) => sum + verdict.sinceSats, 0n);
  return (
    <Card title="At the date">
      <dl className="num space-y-3 text-sm [overflow-wrap:anywhere]">
        <Fact label="Date">{dateText(first)}</Fact>
        {lower && <Fact label="Received up to">{blockText(lower)}</Fact>}
        {upper && <Fact label="Spent in no block up to">{blockText(upper)}</Fact>}
        <Fact label="Coins">{kinds.map(([kind, count]) => `${AT_DATE[kind].word}: ${plural(count, 'coin')}`).join('. ')}</Fact>
        {since > 0n && <Fact label="Spent since">{formatSats(since)} BTC; the signature may be later. Not in the sum.</Fact>}
      </dl>
    </Card>
  );
}
