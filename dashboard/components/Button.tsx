// Buttons, and links that look like them. A button that waits for the service says so and takes no second press.
import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import { Link } from 'wouter';

type ButtonVariant = {
  primary?: boolean;
  danger?: boolean;
  ghost?: boolean;
  compact?: boolean;
  wide?: boolean;
  /** Only a picture: give it an aria-label. */
  icon?: boolean;
};

const buttonClassName = ({ primary, danger, ghost, compact, wide, icon }: ButtonVariant, more = ''): string =>
  ['button', primary && 'primary', danger && 'danger', ghost && 'quiet', compact && 'compact', wide && 'wide']
    .concat(icon && 'icon', more)
    .filter(Boolean)
    .join(' ');

type ButtonProps = ButtonVariant &
  Omit<AriaButtonProps, 'className' | 'children' | 'style'> & { children: ReactNode; className?: string };

// The library's own waiting announces the button by its id, which is gone by then where the button leaves with its
// window; here the picture inside has a name instead, and the focus stays.
export const Button = ({ children, className, ...rest }: ButtonProps) => {
  const { primary, danger, ghost, compact, wide, icon, isPending, onPress, type, ...props } = rest;
  const look = { primary, danger, quiet: ghost, compact, wide, icon };
  return (
    <AriaButton
      {...props}
      type={isPending ? 'button' : type}
      onPress={isPending ? undefined : onPress}
      aria-disabled={isPending || undefined}
      data-pending={isPending || undefined}
      className={buttonClassName(look, className)}
    >
      {isPending && <span className="spinner" role="img" aria-label="Working" />}
      {isPending && icon ? null : children}
    </AriaButton>
  );
};

/** A link to another page of the dashboard, in the clothes of a button. */
export const LinkButton = ({
  to,
  children,
  ...look
}: ButtonVariant & { to: string; children: ReactNode }) => (
  <Link to={to} className={buttonClassName(look)}>
    {children}
  </Link>
);
