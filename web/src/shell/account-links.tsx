import { Link } from 'wouter';
import type { CurrentUser } from '../features/session/current-user';
import { Button, ButtonLink } from '../ui/button';
import { MENU_LINK, NavAnchor } from './frame';
import { useLogout } from './use-logout';

interface AccountLinksProps {
  user: CurrentUser | null;
  path: string;
  upgrade: boolean;
  login: boolean;
}

/** The account in the menu of a narrow window. */
export default function AccountLinks({ user, path, upgrade, login }: AccountLinksProps) {
  const logout = useLogout();
  return (
    <>
      {user && <NavAnchor link={{ to: `/profile/${user.id}`, label: 'View Profile' }} inside={Link} path={path} className={MENU_LINK} />}
      <div className="grid gap-2 pt-3">
        {upgrade && <ButtonLink to="/choose-plan">Upgrade</ButtonLink>}
        {login && <ButtonLink to="/login">Login</ButtonLink>}
        {user && (
          <Button look="secondary" onClick={logout}>
            Logout
          </Button>
        )}
      </div>
    </>
  );
}
