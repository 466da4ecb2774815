import { useEffect } from 'react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { appConfigQuery } from '../api/queries';
import { useSession } from '../features/session/context';
import { ButtonLink } from '../ui/button';
import { shownAccount } from '../lib/shown-account';
import { Bar } from './frame';
import { navigationFor } from './navigation';
import { later } from '../ui/later';

/** Loaded for signed-in users, and when the menu is first opened. */
const ProfileMenu = later(() => import('./profile-menu'));
const AccountLinks = later(() => import('./account-links'));

/** The bar of the app: its links, and the account. */
export function Header() {
  const session = useSession();
  const sold = useQuery({ ...appConfigQuery(), enabled: session.isAuthenticated }).data?.premium ?? false;
  const { links, upgrade, login } = navigationFor(session, sold);
  const user = session.currentUser;
  const [path] = useLocation();
  const { isLoading, isAuthenticated } = session;
  useEffect(() => {
    if (isLoading) return;
    if (isAuthenticated) shownAccount.set(upgrade ? 'free' : 'in');
    else shownAccount.remove();
  }, [isLoading, isAuthenticated, upgrade]);
  return (
    <Bar
      link={Link}
      home="/"
      links={links}
      path={path}
      more={
        <AccountLinks user={user} path={path} upgrade={upgrade} login={login} />
      }
    >
      {upgrade && (
        <ButtonLink to="/choose-plan" className="max-lg:hidden">
          Upgrade
        </ButtonLink>
      )}
      {user && <ProfileMenu user={user} />}
      {login && (
        <ButtonLink to="/login" look="secondary" className="max-sm:hidden">
          Login
        </ButtonLink>
      )}
    </Bar>
  );
}
