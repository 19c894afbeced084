// Buttons, and links styled as buttons. A pending button shows a spinner and ignores presses.
import { type ComponentProps, type ReactNode, useRef } from 'react';
import { Link } from 'wouter';
import { useAutoFocus } from './useAutoFocus.ts';

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
  Omit<ComponentProps<'button'>, 'disabled' | 'onClick' | 'ref'> & {
    isDisabled?: boolean;
    isPending?: boolean;
    onPress?: () => void;
  };

// A pending button is not disabled, because it would lose focus.
export const Button = ({ children, className, ...rest }: ButtonProps) => {
  const { primary, danger, ghost, compact, wide, icon, isPending, isDisabled, onPress, type, ...other } =
    rest;
  const { autoFocus, ...props } = other;
  const variant = { primary, danger, ghost, compact, wide, icon };
  const button = useRef<HTMLButtonElement>(null);
  useAutoFocus(button, autoFocus);
  return (
    <button
      {...props}
      ref={button}
      type={isPending ? 'button' : (type ?? 'button')}
      onClick={isPending ? undefined : onPress}
      disabled={isDisabled}
      aria-disabled={isPending || undefined}
      data-pending={isPending || undefined}
      className={buttonClassName(variant, className)}
    >
      {isPending && <span className="spinner" role="img" aria-label="Working" />}
      {isPending && icon ? null : children}
    </button>
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
