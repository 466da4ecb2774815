import { select } from './select';
import type { Profile } from './types';

/** The columns of a row of the leaderboard. */
export const SHOWN = select<Profile>()(
  'id',
  'username',
  'avatar_url',
  'verified',
  'bitcoin_holdings',
  'shown_as',
  'rank',
  'last_verified',
  'provider',
  'named',
  'published_sats',
);

/** What the leaderboard shows of a profile. */
export type BoardEntry = ReturnType<typeof SHOWN.rows>[number];
