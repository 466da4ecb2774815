import { useRef, useState } from 'react';
import { Menu as MenuIcon, X } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import { useSession } from '../features/session/context';
import { cx } from '../lib/cx';
import { Button, ButtonLink, buttonClass } from '../ui/button';
import { BitcoinLogo } from '../ui/logo';
import { MobileMenu } from './mobile-menu';
import { navigationFor } from './navigation';
import { ProfileMenu } from './profile-menu';
import { ThemeToggle } from './theme-toggle';

/** Brand, links, account and theme; below the tablet width a hamburger menu mirrors the links. */
export function Header() {
  const session = useSession();
  const { links, upgrade, login } = navigationFor(session);
  const [path] = useLocation();
  // Kept with the path it was opened on, so that every navigation closes it.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === path;
  const hamburger = useRef<HTMLButtonElement>(null);

  return (
    <header className="sticky top-0 z-40 border-b border-line bg-surface/95 backdrop-blur">
      <div className="mx-auto flex h-16 max-w-6xl items-center gap-2 px-4 sm:px-6">
        <Link href="/" className="flex items-center gap-2.5 rounded-lg py-1 pr-2">
          <BitcoinLogo />
          <span className="text-base font-bold tracking-tight whitespace-nowrap sm:text-lg">Proof of Reserves</span>
        </Link>
        <nav aria-label="Main" className="ml-4 hidden items-center gap-1 lg:flex">
          {links.map(({ to, label }) => (
            <Link
              key={to}
              href={to}
              aria-current={path === to ? 'page' : undefined}
              className={buttonClass('ghost', 'small', cx(path === to && 'bg-raised text-ink'))}
            >
              {label}
            </Link>
          ))}
        </nav>
        <div className="ml-auto flex items-center gap-1.5 sm:gap-2">
          {upgrade && (
            <span className="hidden lg:block">
              <ButtonLink to="/choose-plan">Upgrade</ButtonLink>
            </span>
          )}
          <ThemeToggle />
          {session.currentUser && <ProfileMenu user={session.currentUser} />}
          {login && (
            // Whoever has a session is not offered to log in by the page that the server has sent, which is for everybody.
            <span className="hidden lg:block in-data-session:hidden!">
              <ButtonLink to="/login">Login</ButtonLink>
            </span>
          )}
          <Button
            ref={hamburger}
            look="ghost"
            size="icon"
            className="lg:hidden"
            aria-label={open ? 'Close menu' : 'Open menu'}
            aria-expanded={open}
            aria-controls="mobile-menu"
            onClick={() => setOpenAt(open ? null : path)}
          >
            {open ? <X className="size-5" aria-hidden="true" /> : <MenuIcon className="size-5" aria-hidden="true" />}
          </Button>
        </div>
      </div>
      {open && (
        <MobileMenu
          onClose={() => {
            setOpenAt(null);
            hamburger.current?.focus();
          }}
          onNavigate={() => setOpenAt(null)}
        />
      )}
    </header>
  );
}
