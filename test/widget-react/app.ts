// An application for the tests: renders the hook or the button with the given props and records the callbacks. Without
// JSX, because the tests are compiled for Preact.
import { createElement, type ReactElement, StrictMode, useState, version } from 'react';
import { createRoot, hydrateRoot } from 'react-dom/client';
import {
  ServiceConnectButton,
  type ServiceConnectHandle,
  type ServiceConnectOptions,
  useServiceConnect,
} from '../../widget/react/index.ts';

export type AppProps = ServiceConnectOptions & {
  /** The prefix of this rendering's recorded callbacks. */
  label: string;
  button?: boolean;
  /** Puts the new connection into the options after success. */
  keepsConnection?: boolean;
  /** `onClick` prevents the default. */
  preventsDefault?: boolean;
};

export type App = {
  version: string;
  calls: string[];
  handle: ServiceConnectHandle | undefined;
  render(props: AppProps): void;
  hydrate(props: AppProps): void;
  unmount(): void;
};

declare global {
  interface Window {
    app: App;
  }
}

const calls: string[] = [];

const callbacksOf = (label: string) => ({
  onInit: () => void calls.push(`${label} onInit`),
  onSuccess: () => void calls.push(`${label} onSuccess`),
  onExit: () => void calls.push(`${label} onExit`),
  onError: (error: Error) => void calls.push(`${label} onError ${error.message}`),
});

const Hook = ({ label, keepsConnection, ...options }: AppProps): ReactElement => {
  const [connectionId, setConnectionId] = useState<string>();
  const callbacks = callbacksOf(label);
  const handle = useServiceConnect({
    ...options,
    ...callbacks,
    connectionId,
    onSuccess: (result) => {
      callbacks.onSuccess();
      if (keepsConnection) setConnectionId(result.connectionId);
    },
  });
  if (typeof window !== 'undefined') window.app.handle = handle;
  const state = handle.error ? 'failed' : handle.ready ? 'ready' : 'waiting';
  return createElement('button', { type: 'button', onClick: handle.open, 'data-state': state }, 'Open');
};

const Button = ({ label, preventsDefault, button: _, ...options }: AppProps): ReactElement =>
  createElement(
    ServiceConnectButton,
    {
      ...options,
      ...callbacksOf(label),
      className: 'mine',
      onClick: (event) => {
        calls.push(`${label} onClick`);
        if (preventsDefault) event.preventDefault();
      },
    },
    'Link a bank',
  );

const tree = (props: AppProps): ReactElement => {
  const component = props.button ? Button : Hook;
  return createElement(StrictMode, null, createElement(component, props));
};

/** The element for server rendering. */
export const serverTree = tree;

if (typeof window !== 'undefined') {
  const container = document.getElementById('app')!;
  let root: ReturnType<typeof createRoot> | undefined;
  window.app = {
    version,
    calls,
    handle: undefined,
    render: (props) => {
      root ??= createRoot(container);
      root.render(tree(props));
    },
    hydrate: (props) => {
      root = hydrateRoot(container, tree(props));
    },
    unmount: () => root?.unmount(),
  };
}
