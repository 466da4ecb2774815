import { useState } from 'react';
import type { HoldingsPoint } from '../../api/types';
import { formatDate, formatSats } from '../../lib/format';
import { Card } from '../../ui/card';
import { stepsOf } from './story';

const WIDTH = 600;
const HEIGHT = 120;

/** What has counted for its owner since the first proof. */
export function StoryCard({ points }: { points: HoldingsPoint[] }) {
  return (
    <Card title="Holdings Over Time">
      <Chart points={points} />
    </Card>
  );
}

function Chart({ points }: { points: HoldingsPoint[] }) {
  const [now] = useState(() => new Date());
  const { line, area, first, most, last } = stepsOf(points, now, WIDTH, HEIGHT);
  const summary = `From ${formatDate(first)} until today: at most ${formatSats(most)} BTC, now ${formatSats(last)} BTC.`;
  return (
    <figure>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="h-28 w-full" role="img" aria-label={summary}>
        <path d={area} className="fill-accent-soft" />
        <path d={line} fill="none" strokeWidth="2" vectorEffect="non-scaling-stroke" className="stroke-accent" />
      </svg>
      <div aria-hidden="true" className="mt-2 flex justify-between text-xs text-muted">
        <time dateTime={first.toISOString()}>{formatDate(first)}</time>
        <span>Today</span>
      </div>
      <figcaption className="num mt-2 text-sm text-muted">{summary}</figcaption>
    </figure>
  );
}
