import { useEffect } from 'react';
import { Link } from 'wouter';
import type { CurrentUser } from '../features/session/context';
import { listen } from '../lib/listen';
import { Button, ButtonLink } from '../ui/button';
import { DOCUMENTS, NavAnchor } from './frame';
import type { navigationFor } from './navigation';
import { useLogout } from './use-logout';

interface MobileMenuProps extends ReturnType<typeof navigationFor> {
  user: CurrentUser | null;
  path: string;
  onClose: () => void;
  onNavigate: () => void;
}

/** The header's links on a phone. Escape closes it and gives the focus back. */
export default function MobileMenu({ links, upgrade, login, user, path, onClose, onNavigate }: MobileMenuProps) {
  const logout = useLogout();
  useEffect(() => listen(document, { keydown: ({ key }) => key === 'Escape' && onClose() }), [onClose]);
  const own = user ? [{ to: `/profile/${user.id}`, label: 'View Profile' }] : [];
  return (
    <nav
      id="mobile-menu"
      aria-label="Mobile"
      className="enter space-y-1 border-t border-line bg-surface p-4 shadow-card lg:hidden"
    >
      {[...links, ...own, ...DOCUMENTS].map((link) => (
        <NavAnchor key={link.to} link={link} inside={Link} path={path} className="flex min-h-12 items-center rounded-lg px-3 font-medium hover:bg-raised" onClick={onNavigate} />
      ))}
      <div className="grid gap-2 pt-3">
        {upgrade && (
          <ButtonLink to="/choose-plan" onClick={onNavigate}>
            Upgrade
          </ButtonLink>
        )}
        {login && (
          <ButtonLink to="/login" onClick={onNavigate}>
            Login
          </ButtonLink>
        )}
        {user && (
          <Button look="secondary" onClick={logout}>
            Logout
          </Button>
        )}
      </div>
    </nav>
  );
}
