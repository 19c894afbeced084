// An application in the browser: shows the hook or the button with the options that a test gives it, and writes down
// what it is told. Without JSX, because tests are compiled for another library's.
import { createElement, type ReactElement, StrictMode, useState, version } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import {
  ServiceConnectButton,
  type ServiceConnectHandle,
  type ServiceConnectOptions,
  useServiceConnect,
} from '../../widget/react/index.ts';

export type AppProps = ServiceConnectOptions & {
  /** Names the callbacks of this rendering. */
  label: string;
  button?: boolean;
  /** After success, the new connection is kept in the options. */
  keepsConnection?: boolean;
  /** How many components. */
  copies?: number;
  vetoed?: boolean;
};

export type App = {
  version: string;
  /** Which callback of which rendering was called. */
  calls: string[];
  handle: ServiceConnectHandle | undefined;
  show(shown: AppProps): void;
  hydrate(shown: AppProps): void;
  unmount(): void;
};

declare global {
  interface Window {
    app: App;
  }
}

const calls: string[] = [];

const callbacksOf = (as: string) => ({
  onInit: () => void calls.push(`${as} onInit`),
  onSuccess: () => void calls.push(`${as} onSuccess`),
  onExit: () => void calls.push(`${as} onExit`),
  onError: (error: Error) => void calls.push(`${as} onError ${error.message}`),
});

const Hook = ({ label, keepsConnection, copies: _, ...options }: AppProps): ReactElement => {
  const [connectionId, keep] = useState<string>();
  const callbacks = callbacksOf(label);
  const handle = useServiceConnect({
    ...options,
    ...callbacks,
    connectionId,
    onSuccess: (result) => {
      callbacks.onSuccess();
      if (keepsConnection) keep(result.connectionId);
    },
  });
  if (typeof window !== 'undefined') window.app.handle = handle;
  const state = handle.error ? 'failed' : handle.ready ? 'ready' : 'waiting';
  return createElement('button', { type: 'button', onClick: handle.open, 'data-state': state }, 'Open');
};

const Button = ({ label, vetoed, button: _, ...options }: AppProps): ReactElement =>
  createElement(
    ServiceConnectButton,
    {
      ...options,
      ...callbacksOf(label),
      className: 'mine',
      onClick: (event) => {
        calls.push(`${label} onClick`);
        if (vetoed) event.preventDefault();
      },
    },
    'Link a bank',
  );

const tree = (shown: AppProps): ReactElement => {
  const component = shown.button ? Button : Hook;
  const components = Array.from({ length: shown.copies ?? 1 }, (_, key) =>
    createElement(component, { key, ...shown }),
  );
  return createElement(StrictMode, null, components);
};

/** The same tree as the browser's, for a server to render. */
export const serverTree = tree;

if (typeof window !== 'undefined') {
  const place = document.getElementById('app')!;
  let root: ReturnType<typeof createRoot> | undefined;
  window.app = {
    version,
    calls: calls,
    handle: undefined,
    show: (shown) => {
      root ??= createRoot(place);
      root.render(tree(shown));
    },
    hydrate: (shown) => {
      root = hydrateRoot(place, tree(shown));
    },
    unmount: () => root?.unmount(),
  };
}
