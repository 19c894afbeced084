/** @jsxImportSource react */
// The hook as a button. Props that are not widget options are passed to the <button> element.
'use client';
import { type ComponentPropsWithoutRef, forwardRef, type MouseEvent } from 'react';
import { isOptionName } from '../settings.ts';
import { type ServiceConnectOptions, useServiceConnect } from './useServiceConnect.ts';

export type ServiceConnectButtonProps = ServiceConnectOptions &
  Omit<ComponentPropsWithoutRef<'button'>, keyof ServiceConnectOptions>;

/** A button that opens the widget. If `onClick` prevents the default, the widget stays closed. */
export const ServiceConnectButton = forwardRef<HTMLButtonElement, ServiceConnectButtonProps>((props, ref) => {
  const { open } = useServiceConnect(props);
  const { children = 'Connect your bank', onClick, baseUrl: _, ...others } = props;
  const attributes = Object.fromEntries(Object.entries(others).filter(([name]) => !isOptionName(name)));
  const click = (event: MouseEvent<HTMLButtonElement>) => {
    onClick?.(event);
    if (!event.defaultPrevented) open();
  };
  return (
    <button type="button" ref={ref} {...attributes} onClick={click}>
      {children}
    </button>
  );
});
ServiceConnectButton.displayName = 'ServiceConnectButton';
