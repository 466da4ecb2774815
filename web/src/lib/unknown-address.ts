/** An unknown address leads to the leaderboard, which shows it. The history entry remembers it. */
export const unknownState = (path: string) => ({ unknown: path });

export function unknownAddress(): string | null {
  const state: unknown = history.state;
  const path: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, 'unknown') : null;
  return typeof path === 'string' ? path : null;
}
