import type { HoldingsPoint } from '../../api/types';

interface Steps {
  /** Paths of SVG in a box of the given size. */
  line: string;
  area: string;
  first: Date;
  /** Sats. */
  most: number;
  last: number;
}

/** The steps of a total over time, from the first of these points until now. There is at least one. */
export function stepsOf(points: HoldingsPoint[], now: Date, width: number, height: number): Steps {
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
