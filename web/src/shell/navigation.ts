import type { Session } from '../features/session/context';

export interface NavLink {
  to: string;
  label: string;
}

/** The header's links for everybody. */
export const PUBLIC_LINKS: NavLink[] = [
  { to: '/leaderboard', label: 'Leaderboard' },
  { to: '/how-it-works', label: 'How It Works' },
];

/** Other documents, which are loaded whole. */
export const DOCUMENT_LINKS = [
  { to: '/verify', label: 'Check a proof' },
  { to: '/prove', label: 'Prove to one person' },
] as const;

/** The header's links for this person: the wide bar and the mobile menu show the same. */
export interface Navigation {
  links: NavLink[];
  /** The orange button, for signed-in people on the free tier once loading has finished, where premium is sold (decisions, D18). */
  upgrade: boolean;
  login: boolean;
}

export function navigationFor({ isAuthenticated, isLoading, tier }: NavigationState, sold = true): Navigation {
  const signedIn = isAuthenticated && !isLoading;
  return {
    links: [...PUBLIC_LINKS, ...(isAuthenticated ? [{ to: '/upload', label: 'Verify' }] : [])],
    // An unset tier shows as free.
    upgrade: sold && signedIn && tier !== 'premium',
    login: !isAuthenticated && !isLoading,
  };
}

type NavigationState = Pick<Session, 'isAuthenticated' | 'isLoading' | 'tier'>;
