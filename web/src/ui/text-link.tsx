import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { cx } from '../lib/cx';

const LOOK = 'font-medium text-accent-ink underline decoration-1 underline-offset-3 hover:decoration-2';

/** A link in running text, inside the app. */
export function TextLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link href={to} className={LOOK}>
      {children}
    </Link>
  );
}

/** A link in running text to another document, or to another site. */
export function DocumentLink({ to, children, ...rest }: { to: string; children: ReactNode; rel?: string }) {
  return (
    <a href={to} className={LOOK} {...rest}>
      {children}
    </a>
  );
}

/** A button that looks like a link in running text. */
export function TextButton(props: ComponentProps<'button'>) {
  return <button type="button" className={cx(LOOK, 'rounded text-left')} {...props} />;
}
