import { useEffect } from 'react';
import { Link, useLocation } from 'wouter';
import { useSession } from '../features/session/context';
import { cx } from '../lib/cx';
import { Button, ButtonLink } from '../ui/button';
import { DOCUMENT_LINKS, navigationFor } from './navigation';
import { useLogout } from './use-logout';

const ROW = 'flex min-h-12 items-center rounded-lg px-3 font-medium hover:bg-raised';

/** The header's links on a phone. Escape closes it and gives the focus back. */
export default function MobileMenu({ sold, onClose, onNavigate }: { sold: boolean; onClose: () => void; onNavigate: () => void }) {
  const session = useSession();
  const { links, upgrade, login } = navigationFor(session, sold);
  const [path] = useLocation();
  const logout = useLogout();
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => event.key === 'Escape' && onClose();
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [onClose]);
  const rows = session.currentUser
    ? [...links, { to: `/profile/${session.currentUser.id}`, label: 'View Profile' }]
    : links;
  return (
    <nav
      id="mobile-menu"
      aria-label="Mobile"
      className="enter space-y-1 border-t border-line bg-surface p-4 shadow-card lg:hidden"
    >
      {rows.map(({ to, label }) => (
        <Link
          key={to}
          href={to}
          onClick={onNavigate}
          aria-current={path === to ? 'page' : undefined}
          className={cx(ROW, path === to && 'bg-raised')}
        >
          {label}
        </Link>
      ))}
      {DOCUMENT_LINKS.map(({ to, label }) => (
        <a key={to} href={to} className={ROW}>
          {label}
        </a>
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
        {session.currentUser && (
          <Button look="secondary" onClick={logout}>
            Logout
          </Button>
        )}
      </div>
    </nav>
  );
}
