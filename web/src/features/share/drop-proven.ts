import type { QueryClient } from '@tanstack/react-query';

/** The latest proof of this tab, by user. */
export const PROVEN_KEY = ['just-proven'];

/** Forgets the proof with its file: at sign-out, at another sign-in, after a deletion, and when the session ends. */
export function dropProven(queries: QueryClient): void {
  queries.removeQueries({ queryKey: PROVEN_KEY });
}
