import { lazy, Suspense, useRef, useState } from 'react';
import { Menu as MenuIcon, X } from 'lucide-react';
import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import { appConfigQuery } from '../api/queries';
import { useSession } from '../features/session/context';
import { Button, ButtonLink } from '../ui/button';
import { Bar, DOCUMENTS, MainNav } from './frame';
import { navigationFor } from './navigation';
import { ThemeToggle } from './theme-toggle';

/** Loaded for signed-in users, and when the menu is first opened. */
const ProfileMenu = lazy(() => import('./profile-menu'));
const MobileMenu = lazy(() => import('./mobile-menu'));

/** Brand, links, account and theme; below the tablet width a hamburger menu mirrors the links. */
export function Header() {
  const session = useSession();
  const sold = useQuery({ ...appConfigQuery(), enabled: session.isAuthenticated }).data?.premium ?? false;
  const navigation = navigationFor(session, sold);
  const { links, upgrade, login } = navigation;
  const [path] = useLocation();
  // The path on which it was opened: every navigation closes it.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === path;
  const HamburgerIcon = open ? X : MenuIcon;
  const hamburger = useRef<HTMLButtonElement>(null);

  return (
    <Bar
      link={Link}
      home="/"
      menu={
        open && (
          <Suspense fallback={null}>
            <MobileMenu
              {...navigation}
              user={session.currentUser}
              path={path}
              onClose={() => {
                setOpenAt(null);
                hamburger.current?.focus();
              }}
              onNavigate={() => setOpenAt(null)}
            />
          </Suspense>
        )
      }
    >
      <MainNav links={[...links, ...DOCUMENTS]} inside={Link} path={path} />
      {/* Takes all the free room, so that nothing moves when the session is known. */}
      <div className="flex flex-1 items-center justify-end gap-1.5 self-stretch sm:gap-2 lg:contents">
        {upgrade && (
          <ButtonLink to="/choose-plan" className="max-lg:hidden">
            Upgrade
          </ButtonLink>
        )}
        {session.currentUser && (
          <Suspense fallback={null}>
            <ProfileMenu user={session.currentUser} />
          </Suspense>
        )}
        {login && (
          <ButtonLink to="/login" look="secondary" className="max-sm:hidden">
            Login
          </ButtonLink>
        )}
        <ThemeToggle />
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
          <HamburgerIcon className="size-5" aria-hidden="true" />
        </Button>
      </div>
    </Bar>
  );
}
