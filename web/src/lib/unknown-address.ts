import { member } from './member';

/** An unknown address leads to the leaderboard, which shows it. The history entry remembers it. */
export const unknownState = (path: string) => ({ unknown: path });

export function unknownAddress(): string | null {
  const path = member(history.state, 'unknown');
  return typeof path === 'string' ? path : null;
}
