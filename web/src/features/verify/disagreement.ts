/** Whether two chain sources contradict each other. */
import type { DateBounds } from '../../psbt';
import type { Heights, States } from './coins';

/** All that a source has said. */
export interface Answer {
  host: string;
  /** Its newest block. */
  height: number;
  states: States;
  heights: Heights;
  /** The instant with which it was asked; null for today. */
  date: string | null;
  bounds: DateBounds | null;
}

/** The host of the first source that contradicts an answer; null when none does. A block that only one of them has seen yet explains a difference. */
export function differsFrom(answer: Answer, others: Answer[]): string | null {
  return others.find((other) => other.host !== answer.host && contradicts(answer, other))?.host ?? null;
}

function contradicts(one: Answer, other: Answer): boolean {
  const newest = Math.min(one.height, other.height);
  const seen = (height: number | null) => (height !== null && height <= newest ? height : null);
  const sameDate = one.date !== null && one.date === other.date && one.bounds?.settled && other.bounds?.settled;
  if (sameDate && (one.bounds?.lower?.hash !== other.bounds?.lower?.hash || one.bounds?.upper?.hash !== other.bounds?.upper?.hash)) return true;
  return [...one.states].some(([key, state]) => {
    const second = other.states.get(key);
    if (second === undefined) return false;
    const [here, there] = [one.heights.get(key), other.heights.get(key)];
    // Without heights a source does not know the coin, or knows another one.
    if (!here || !there) return state !== second;
    if (seen(here.funded) !== seen(there.funded)) return true;
    if (here.spent === 'unknown' || there.spent === 'unknown') return false;
    return seen(here.spent) !== seen(there.spent);
  });
}
