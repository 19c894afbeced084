// Buttons, and links styled as buttons. A pending button shows a spinner and ignores presses.
import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import { Link } from 'wouter';

type ButtonVariant = {
  primary?: boolean;
  danger?: boolean;
  ghost?: boolean;
  compact?: boolean;
  wide?: boolean;
  /** Only an icon; needs an aria-label. */
  icon?: boolean;
};

const buttonClassName = ({ primary, danger, ghost, compact, wide, icon }: ButtonVariant, more = ''): string =>
  ['button', primary && 'primary', danger && 'danger', ghost && 'ghost', compact && 'compact', wide && 'wide']
    .concat(icon && 'icon', more)
    .filter(Boolean)
    .join(' ');

type ButtonProps = ButtonVariant &
  Omit<AriaButtonProps, 'className' | 'children' | 'style'> & { children: ReactNode; className?: string };

// React Aria's own isPending announces the button by its id, which no longer exists when the modal with the button has
// closed. Here the spinner has the accessible name, and the button keeps the focus.
export const Button = ({ children, className, ...rest }: ButtonProps) => {
  const { primary, danger, ghost, compact, wide, icon, isPending, onPress, type, ...props } = rest;
  const variant = { primary, danger, ghost, compact, wide, icon };
  return (
    <AriaButton
      {...props}
      type={isPending ? 'button' : type}
      onPress={isPending ? undefined : onPress}
      aria-disabled={isPending || undefined}
      data-pending={isPending || undefined}
      className={buttonClassName(variant, className)}
    >
      {isPending && <span className="spinner" role="img" aria-label="Working" />}
      {isPending && icon ? null : children}
    </AriaButton>
  );
};

/** A link to another page of the dashboard, styled as a button. */
export const LinkButton = ({
  to,
  children,
  ...variant
}: ButtonVariant & { to: string; children: ReactNode }) => (
  <Link to={to} className={buttonClassName(variant)}>
    {children}
  </Link>
);
