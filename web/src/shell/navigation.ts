import type { Session } from '../features/session/context';

export interface NavLink {
  to: string;
  label: string;
  /** Another document, or a file of the server: a full load. */
  full?: true;
}

/** The header's links for all users. */
export const PUBLIC_LINKS: NavLink[] = [
  { to: '/leaderboard', label: 'Leaderboard' },
  { to: '/how-it-works', label: 'How It Works' },
];

/** Links to the other documents. */
export const DOCUMENT_LINKS = [
  { to: '/verify', label: 'Check a proof', full: true },
  { to: '/prove', label: 'Prove to one person', full: true },
] as const;

/** The header's links for this user, in the wide bar and in the mobile menu. */
export function navigationFor({ isAuthenticated, isLoading, tier }: Pick<Session, 'isAuthenticated' | 'isLoading' | 'tier'>, sold = true) {
  const signedIn = isAuthenticated && !isLoading;
  return {
    links: [...PUBLIC_LINKS, ...(isAuthenticated ? [{ to: '/upload', label: 'Verify' }] : [])] as NavLink[],
    // The orange button, where premium is sold (decisions, D18). An unset tier shows as free.
    upgrade: sold && signedIn && tier !== 'premium',
    login: !isAuthenticated && !isLoading,
  };
}
