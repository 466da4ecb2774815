import { useState } from 'react';
import type { HoldingsPoint } from '../../api/types';
import { formatDate, formatSats } from '../../lib/format';
import { Card } from '../../ui/card';

const WIDTH = 600;
const HEIGHT = 120;

/** What has counted for its owner since the first proof. */
export function StoryCard({ points }: { points: HoldingsPoint[] }) {
  const [now] = useState(() => new Date());
  const { line, area, first, most, last } = stepsOf(points, now, WIDTH, HEIGHT);
  const summary = `From ${formatDate(first)} until today: at most ${formatSats(most)} BTC, now ${formatSats(last)} BTC.`;
  return (
    <Card title="Holdings Over Time">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" className="h-28 w-full" role="img" aria-label={summary}>
        <path d={area} className="fill-accent-soft" />
        <path d={line} fill="none" strokeWidth="2" vectorEffect="non-scaling-stroke" className="stroke-accent" />
      </svg>
      <div aria-hidden="true" className="mt-2 flex justify-between text-xs text-muted">
        <time dateTime={first.toISOString()}>{formatDate(first)}</time>
        <span>Today</span>
      </div>
      <p className="num mt-2 text-sm text-muted">{summary}</p>
    </Card>
  );
}

/** The steps of a total in sats over time, from the first of these points until now, as SVG paths in a box of the given size. There is at least one. */
export function stepsOf(points: HoldingsPoint[], now: Date, width: number, height: number) {
  const start = Date.parse(points[0]?.at ?? '');
  const span = Math.max(now.getTime() - start, 1);
  const most = Math.max(...points.map(({ sats }) => sats), 1);
  const x = (at: string) => Math.round((width * Math.min(Math.max(Date.parse(at) - start, 0), span)) / span);
  // The line keeps its whole width at the top and at the bottom.
  const y = (sats: number) => Math.round((height - 4) * (1 - sats / most)) + 2;
  const steps = points.map(({ at, sats }) => `H${x(at)}V${y(sats)}`).join('');
  const line = `M0 ${y(0)}${steps}H${width}`;
  return { line, area: `${line}V${height}H0Z`, first: new Date(start), most, last: points.at(-1)?.sats ?? 0 };
}
