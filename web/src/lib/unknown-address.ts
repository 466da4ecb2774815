/** An address that leads nowhere ends on the leaderboard, which says so. The entry of the history remembers which it was. */
export const unknownState = (path: string) => ({ unknown: path });

export function unknownAddress(): string | null {
  const state: unknown = history.state;
  const path: unknown = typeof state === 'object' && state !== null ? Reflect.get(state, 'unknown') : null;
  return typeof path === 'string' ? path : null;
}
