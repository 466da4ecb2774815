import type { Session } from '../features/session/context';
import { pageAddress, STATIC } from '../lib/site';

export interface NavLink {
  to: string;
  label: string;
  /** Another document, or a file of the server: a full load. */
  full?: true;
}

const HOW_IT_WORKS: NavLink = { to: '/how-it-works', label: 'How It Works' };
const CHECK: NavLink = { to: pageAddress('/verify'), label: 'Check', full: true };
const PRIVATE_PROOF: NavLink = { to: pageAddress('/prove'), label: 'Private proof', full: true };
const VERIFY: NavLink = { to: '/upload', label: 'Verify' };

/** The header's links, in the wide bar and in the mobile menu. The static build has only the documents. */
export const headerLinks = (signedIn: boolean): NavLink[] => (STATIC ? [CHECK] : [HOW_IT_WORKS, CHECK, ...(signedIn ? [VERIFY] : [])]);

/** The footer's links. */
export const FOOT_LINKS: NavLink[] = STATIC
  ? [CHECK, PRIVATE_PROOF]
  : [
      { to: '/leaderboard', label: 'Leaderboard' },
      HOW_IT_WORKS,
      { to: '/privacy-policy', label: 'Privacy Policy' },
      { to: '/terms-of-service', label: 'Terms of Service' },
      PRIVATE_PROOF,
      { to: '/inspect', label: 'Inspect a PSBT' },
      { to: '/how-it-works#data', label: 'Data and embeds', full: true },
    ];

/** The header's parts for this user. */
export function navigationFor({ isAuthenticated, isLoading, tier }: Pick<Session, 'isAuthenticated' | 'isLoading' | 'tier'>, sold = true) {
  return {
    links: headerLinks(isAuthenticated),
    // The orange button, where premium is sold (decisions, D18). An unset tier shows as free.
    upgrade: sold && isAuthenticated && !isLoading && tier !== 'premium',
    login: !isAuthenticated && !isLoading,
  };
}
