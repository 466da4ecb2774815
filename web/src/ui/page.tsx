import { useEffect, useRef, type ReactNode } from 'react';
import { cx } from '../lib/cx';
import { takesFocus } from './arrival';

const BRAND = 'Proof of Reserves';
const WIDTHS = { wide: 'max-w-6xl', medium: 'max-w-3xl', narrow: 'max-w-md' };

interface PageProps {
  title: string;
  /** The heading, if it is more than the title. */
  heading?: ReactNode;
  /** The browser's title, if it differs. */
  documentTitle?: string;
  intro?: ReactNode;
  width?: keyof typeof WIDTHS;
  centred?: boolean;
  /** Next to the title, on wide screens. */
  aside?: ReactNode;
  children?: ReactNode;
}

interface PageTitleProps {
  title: ReactNode;
  documentTitle: string;
  className: string;
}

/** The title of a screen, in the tab and as the heading. The heading takes the focus after a navigation, unless the user has moved it. */
export function PageTitle({ title, documentTitle, className }: PageTitleProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${documentTitle} · ${BRAND}`;
  }, [documentTitle]);
  useEffect(() => {
    if (takesFocus()) heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {title}
    </h1>
  );
}

/** A screen with its title. */
export function Page({ title, heading, documentTitle = title, intro, width = 'wide', centred, aside, children }: PageProps) {
  return (
    <div className={cx('mx-auto w-full px-4 py-8 sm:px-6 sm:py-12', WIDTHS[width])}>
      <header className={cx('mb-8 flex flex-wrap items-end justify-between gap-x-8 gap-y-4', centred && 'text-center')}>
        <div className={cx('min-w-0', centred && 'w-full')}>
          <PageTitle title={heading ?? title} documentTitle={documentTitle} className={cx('text-3xl font-bold [overflow-wrap:anywhere]', width !== 'narrow' && 'sm:text-4xl')} />
          {intro && <p className={cx('mt-2 max-w-2xl text-muted sm:text-lg', centred && 'mx-auto')}>{intro}</p>}
        </div>
        {aside}
      </header>
      {children}
    </div>
  );
}
