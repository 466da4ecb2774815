import type { Session } from '../features/session/context';

export interface NavLink {
  to: string;
  label: string;
}

/** The header's links for all users. */
export const PUBLIC_LINKS: NavLink[] = [
  { to: '/leaderboard', label: 'Leaderboard' },
  { to: '/how-it-works', label: 'How It Works' },
];

/** Links to the other documents. */
export const DOCUMENT_LINKS = [
  { to: '/verify', label: 'Check a proof' },
  { to: '/prove', label: 'Prove to one person' },
] as const;

/** The header's links for this user, in the wide bar and in the mobile menu. */
export interface Navigation {
  links: NavLink[];
  /** The orange button: for signed-in users on the free tier after loading, where premium is sold (decisions, D18). */
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
