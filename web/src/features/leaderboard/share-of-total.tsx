import type { BoardEntry } from '../../api/board';
import type { BoardSummary } from '../../api/types';
import { formatCount } from '../../lib/format';
import { shownBtc } from '../../lib/shown';

const WIDTH = 220;
const HEIGHT = 64;
/** A chart of fewer points says nothing. */
const FEWEST = 3;

/** The cumulative share of the first holders, in percent. */
export function sharesOf(rows: BoardEntry[], bitcoin: number): number[] {
  let sum = 0;
  return rows.flatMap((row) => {
    const btc = shownBtc(row);
    if (row.rank === null || btc === null) return [];
    sum += btc;
    return [Math.min(100, (sum * 100) / bitcoin)];
  });
}

/** The share of the total that the first n holders have; n on a log scale. */
export function ShareOfTotal({ summary: { bitcoin, holders }, rows }: { summary: BoardSummary; rows: BoardEntry[] }) {
  const shares = sharesOf(rows, bitcoin);
  if (shares.length < FEWEST || bitcoin <= 0) return null;
  const x = (n: number) => (Math.log10(n) / Math.log10(Math.max(holders, 2))) * WIDTH;
  const y = (share: number) => HEIGHT - (share / 100) * HEIGHT;
  const points = [...shares.map((share, at) => [x(at + 1), y(share)]), [WIDTH, 0]].map((point) => point.map((value) => value?.toFixed(1)).join(' '));
  const line = `M${points.join('L')}`;
  const named = Math.min(10, Math.max(1, Math.floor(shares.length / 2)));
  const share = Math.round(shares[named - 1] ?? 0);
  const marks = [1, 10, 100, 1000, 10_000, 100_000].filter((n) => n * 4 < holders);
  const words = `top ${named} ${named === 1 ? 'holds' : 'hold'} ${share}%`;
  return (
    <figure>
      <figcaption className="text-xs">
        <span className="font-semibold">Share of the total</span> <span className="num text-muted">{words}</span>
      </figcaption>
      <svg viewBox={`-4 -10 ${WIDTH + 40} ${HEIGHT + 26}`} role="img" aria-label={`Share of the total: ${words}`} className="mt-1 w-full text-[10px]">
        {[0, 50, 100].map((of) => (
          <g key={of}>
            <line x1="0" x2={WIDTH} y1={y(of)} y2={y(of)} className="stroke-line" />
            <text x={WIDTH + 5} y={y(of) + 3} className="num fill-muted">
              {of === 0 ? '0' : `${of}%`}
            </text>
          </g>
        ))}
        <path d={`${line}V${HEIGHT}H0Z`} className="fill-accent opacity-12" />
        <path d={line} fill="none" strokeWidth="2" className="stroke-accent" />
        <circle cx={x(named)} cy={y(shares[named - 1] ?? 0)} r="3" className="fill-accent" />
        {marks.map((n) => (
          <text key={n} x={x(n)} y={HEIGHT + 13} textAnchor={n === 1 ? 'start' : 'middle'} className="num fill-muted">
            {n === 1 ? 'top 1' : formatCount(n)}
          </text>
        ))}
        <text x={WIDTH} y={HEIGHT + 13} textAnchor="end" className="num fill-muted">
          all {formatCount(holders)}
        </text>
      </svg>
    </figure>
  );
}
