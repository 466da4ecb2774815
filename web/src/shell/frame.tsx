import { type ElementType, type ReactNode, useEffect, useRef, useState } from 'react';
import { Menu as MenuIcon, X } from 'lucide-react';
import { cx } from '../lib/cx';
import { listen } from '../lib/listen';
import { BitcoinLogo } from '../ui/logo';
import { Button, buttonClass } from '../ui/button';
import { FOOT_LINKS, type NavLink } from './navigation';
import { ThemeToggle } from './theme-toggle';

/** The app's link component, or a plain `a` in the other documents. */
export type LinkElement = ElementType<{ href: string; className?: string; 'aria-current'?: 'page' | undefined; children: ReactNode }>;

interface FrameProps {
  link: LinkElement;
  header: ReactNode;
  year: ReactNode;
  children: ReactNode;
}

interface NavAnchorProps {
  link: NavLink;
  /** What links inside the app are. */
  inside: LinkElement;
  /** The path of the page that is open. */
  path?: string;
  className: string;
}

/** A link of the header or the footer. */
export function NavAnchor({ link: { to, label, full }, inside, path, className }: NavAnchorProps) {
  const Anchor = full ? 'a' : inside;
  const here = path === to;
  return (
    <Anchor href={to} aria-current={here ? 'page' : undefined} className={cx(className, here && 'bg-raised text-ink')}>
      {label}
    </Anchor>
  );
}

/** Header, content and footer of every screen. */
export function Frame({ link: inside, header, year, children }: FrameProps) {
  return (
    <div className="flex min-h-dvh flex-col">
      <a
        href="#main"
        className="sr-only z-50 rounded-lg bg-accent px-4 py-2 font-semibold text-on-accent focus:not-sr-only focus:fixed focus:top-3 focus:left-3"
      >
        Skip to content
      </a>
      {header}
      {/* The footer starts below the window, so that a short page does not move it. */}
      <main id="main" tabIndex={-1} className="min-h-[calc(100svh-4rem)] flex-1 print:min-h-0">
        {children}
      </main>
      <footer className="print:hidden border-t border-line bg-surface">
        <div className="mx-auto flex max-w-6xl flex-col justify-between gap-x-8 gap-y-4 px-4 py-8 text-sm text-muted sm:px-6 lg:flex-row">
          <nav aria-label="Footer" className="grid grid-cols-2 gap-x-6 gap-y-2 sm:flex sm:flex-wrap">
            {FOOT_LINKS.map((link) => (
              <NavAnchor key={link.to} link={link} inside={inside} className="rounded py-1 hover:text-ink hover:underline" />
            ))}
          </nav>
          <p className="py-1 whitespace-nowrap">© {year} Proof of Reserves</p>
        </div>
      </footer>
    </div>
  );
}

/** A link in the menu of a narrow window. */
export const MENU_LINK = 'flex min-h-12 items-center rounded-lg px-3 font-medium hover:bg-raised';

interface BarProps {
  link: LinkElement;
  /** The address of the brand. */
  home: string;
  links: readonly NavLink[];
  /** The path of the page that is open. */
  path: string;
  /** What the menu of a narrow window has after the links. */
  more?: ReactNode;
  children?: ReactNode;
}

/** The bar at the top of the window: the brand, the links, what a page adds, and the theme. On a narrow window a menu has the links. */
export function Bar({ link: To, home, links, path, more, children }: BarProps) {
  // The path on which it was opened: every navigation closes it.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const open = openAt === path;
  const hamburger = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!open) return undefined;
    const leave = ({ key }: KeyboardEvent) => {
      if (key !== 'Escape') return;
      setOpenAt(null);
      hamburger.current?.focus();
    };
    return listen(document, { keydown: leave });
  }, [open]);
  const Icon = open ? X : MenuIcon;
  return (
    <header className="print:hidden sticky top-0 z-40 border-b border-line bg-surface/95 backdrop-blur">
      <div className="mx-auto flex h-16 max-w-6xl items-center gap-2 px-4 sm:px-6">
        <To href={home} className="flex items-center gap-2.5 rounded-lg py-1 pr-2">
          <BitcoinLogo />
          {/* In two lines where one has no room. */}
          <span className="text-base font-bold tracking-tight whitespace-nowrap max-[24rem]:w-min max-[24rem]:text-sm/4 max-[24rem]:whitespace-normal sm:text-lg">Proof of Reserves</span>
        </To>
        <nav aria-label="Main" className="mr-auto ml-4 hidden items-center gap-1 lg:flex">
          {links.map((link) => (
            <NavAnchor key={link.to} link={link} inside={To} path={path} className={buttonClass('ghost', 'small')} />
          ))}
        </nav>
        {/* Takes all the free room, so that nothing moves when the session is known. */}
        <div className="flex flex-1 items-center justify-end gap-1.5 self-stretch sm:gap-2 lg:contents">
          {children}
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
            <Icon className="size-5" aria-hidden="true" />
          </Button>
        </div>
      </div>
      {open && (
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events -- a press on any link closes it
        <nav id="mobile-menu" aria-label="Mobile" onClick={() => setOpenAt(null)} className="enter space-y-1 border-t border-line bg-surface p-4 shadow-card lg:hidden">
          {links.map((link) => (
            <NavAnchor key={link.to} link={link} inside={To} path={path} className={MENU_LINK} />
          ))}
          {more}
        </nav>
      )}
    </header>
  );
}
