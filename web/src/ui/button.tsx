import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'wouter';
import { cx } from '../lib/cx';

export type ButtonLook = 'primary' | 'secondary' | 'ghost' | 'danger';

const BASE =
  'inline-flex min-h-10 items-center justify-center gap-2 rounded-lg px-4 py-2 text-sm font-semibold transition-colors select-none disabled:cursor-not-allowed disabled:opacity-55';
const LOOKS: Record<ButtonLook, string> = {
  primary: 'bg-accent text-on-accent enabled:hover:bg-accent-hover [a&]:hover:bg-accent-hover',
  secondary: 'border border-line bg-surface text-ink enabled:hover:bg-raised [a&]:hover:bg-raised',
  ghost: 'text-muted enabled:hover:bg-raised enabled:hover:text-ink [a&]:hover:bg-raised [a&]:hover:text-ink',
  danger: 'border border-danger/40 text-danger enabled:hover:bg-danger-soft',
};

/** The look of a button, for elements that are not one. */
export function buttonClass(look: ButtonLook = 'primary', more?: string): string {
  return cx(BASE, LOOKS[look], more);
}

interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook;
}

export function Button({ look = 'primary', className, type = 'button', ...rest }: ButtonProps) {
  // oxlint-disable-next-line react/button-has-type -- the type is always one of the three
  return <button type={type} className={buttonClass(look, className)} {...rest} />;
}

interface ButtonLinkProps {
  to: string;
  look?: ButtonLook;
  className?: string;
  onClick?: () => void;
  children: ReactNode;
}

/** A link inside the app that looks like a button. */
export function ButtonLink({ to, look = 'primary', className, children, onClick }: ButtonLinkProps) {
  return (
    <Link href={to} className={buttonClass(look, className)} {...(onClick ? { onClick } : {})}>
      {children}
    </Link>
  );
}
