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

export type Shown = ServiceConnectOptions & {
  /** Names the callbacks of this rendering. */
  as: string;
  button?: boolean;
  /** After success, the new connection is kept in the options. */
  keeps?: boolean;
  /** How many components. */
  times?: number;
  vetoed?: boolean;
};

export type App = {
  version: string;
  /** Which callback of which rendering was called. */
  told: string[];
  handle: ServiceConnectHandle | undefined;
  show(shown: Shown): void;
  hydrate(shown: Shown): void;
  unmount(): void;
};

declare global {
  interface Window {
    app: App;
  }
}

const told: string[] = [];

const callbacksOf = (as: string) => ({
  onInit: () => void told.push(`${as} onInit`),
  onSuccess: () => void told.push(`${as} onSuccess`),
  onExit: () => void told.push(`${as} onExit`),
  onError: (error: Error) => void told.push(`${as} onError ${error.message}`),
});

const Hook = ({ as, keeps, times: _, ...options }: Shown): ReactElement => {
  const [connectionId, keep] = useState<string>();
  const callbacks = callbacksOf(as);
  const handle = useServiceConnect({
    ...options,
    ...callbacks,
    connectionId,
    onSuccess: (result) => {
      callbacks.onSuccess();
      if (keeps) keep(result.connectionId);
    },
  });
  if (typeof window !== 'undefined') window.app.handle = handle;
  const state = handle.error ? 'failed' : handle.ready ? 'ready' : 'waiting';
  return createElement('button', { type: 'button', onClick: handle.open, 'data-state': state }, 'Open');
};

const Button = ({ as, vetoed, button: _, ...options }: Shown): ReactElement =>
  createElement(
    ServiceConnectButton,
    {
      ...options,
      ...callbacksOf(as),
      className: 'mine',
      onClick: (event) => {
        told.push(`${as} onClick`);
        if (vetoed) event.preventDefault();
      },
    },
    'Link a bank',
  );

const tree = (shown: Shown): ReactElement => {
  const component = shown.button ? Button : Hook;
  const components = Array.from({ length: shown.times ?? 1 }, (_, key) =>
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
    told,
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
