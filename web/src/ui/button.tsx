import type { ComponentProps, ReactNode } from 'react';
import type { LucideIcon } from 'lucide-react';
import { Link } from 'wouter';
import { cx } from '../lib/cx';

export type ButtonLook = 'primary' | 'secondary' | 'ghost' | 'danger';

const BASE =
  'inline-flex shrink-0 items-center justify-center gap-2 rounded-lg font-semibold transition-colors select-none disabled:cursor-not-allowed disabled:opacity-55';
const LOOKS: Record<ButtonLook, string> = {
  primary: 'bg-accent text-on-accent enabled:hover:bg-accent-hover [a&]:hover:bg-accent-hover',
  secondary: 'border border-line bg-surface text-ink enabled:hover:bg-raised [a&]:hover:bg-raised',
  ghost: 'text-muted enabled:hover:bg-raised enabled:hover:text-ink [a&]:hover:bg-raised [a&]:hover:text-ink',
  danger: 'border border-danger/40 text-danger enabled:hover:bg-danger-soft',
};

const SIZES = {
  small: 'min-h-10 px-3 py-2 text-sm',
  medium: 'min-h-10 px-4 py-2 text-sm',
  large: 'min-h-12 px-5 py-2.5 text-base',
  /** As high as a text field. */
  field: 'h-11 px-4 text-sm',
  icon: 'size-10',
};
export type ButtonSize = keyof typeof SIZES;

/** The look of a button, for elements that are not one. */
export function buttonClass(look: ButtonLook = 'primary', size: ButtonSize = 'medium', more?: string): string {
  return cx(BASE, LOOKS[look], SIZES[size], more);
}

interface ButtonProps extends ComponentProps<'button'> {
  look?: ButtonLook;
  size?: ButtonSize;
  /** Before its text. */
  icon?: LucideIcon;
}

export function Button({ look = 'primary', size = 'medium', icon: Icon, className, type = 'button', children, ...rest }: ButtonProps) {
  return (
    // oxlint-disable-next-line react/button-has-type -- the type is always one of the three
    <button type={type} className={buttonClass(look, size, className)} {...rest}>
      {Icon && <Icon className="size-4" aria-hidden="true" />}
      {children}
    </button>
  );
}

interface ButtonLinkProps {
  to: string;
  look?: ButtonLook;
  className?: string;
  /** The accessible name, where the text is too short to say it. */
  label?: string;
  children: ReactNode;
}

/** A link inside the app that looks like a button. */
export function ButtonLink({ to, look = 'primary', className, label, children }: ButtonLinkProps) {
  return (
    <Link href={to} className={buttonClass(look, 'medium', className)} aria-label={label}>
      {children}
    </Link>
  );
}
