// A native application, as a tree without a screen: shows the widget with the options that a test gives it, and
// writes down what it is told.
import { createElement, StrictMode, useEffect, useState } from 'react';
import { create } from 'react-test-renderer';
import {
  type ConnectResult,
  ServiceConnect,
  type ServiceConnectHandle,
  type ServiceConnectOptions,
  useServiceConnect,
} from '../../widget/react-native/index.ts';
import { type Device, setDevice } from './stubs/device.ts';

export type AppProps = ServiceConnectOptions & {
  /** Names the callbacks of this rendering. */
  label?: string;
  /** After success, the new connection is kept in the options. */
  keepsConnection?: boolean;
};

export type App = {
  calls: string[];
  results: ConnectResult[];
  /** What the hook returned last. */
  handle(): ServiceConnectHandle;
  show(shown: AppProps): Promise<void>;
  /** What is on the screen, from the outside in. */
  screen(): string[];
  /** What stands behind a name on the screen. */
  props(type: string): Record<string, unknown>;
  unmount(): Promise<void>;
};

export const startApp = async (device: Device, first: AppProps): Promise<App> => {
  setDevice(device);
  const calls: string[] = [];
  const results: ConnectResult[] = [];
  let handle: ServiceConnectHandle | undefined;

  let generation = 0;
  let committed = 0;

  const Screen = ({
    label = 'first',
    keepsConnection,
    generation,
    ...options
  }: AppProps & { generation: number }) => {
    useEffect(() => {
      committed = generation;
    });
    const [connectionId, keep] = useState(options.connectionId);
    handle = useServiceConnect({
      ...options,
      connectionId,
      onInit: () => void calls.push(`${label} onInit`),
      onSuccess: (result) => {
        calls.push(`${label} onSuccess`);
        results.push(result);
        if (keepsConnection) keep(result.connectionId);
      },
      onExit: () => void calls.push(`${label} onExit`),
      onError: (error) => void calls.push(`${label} onError ${error.message}`),
    });
    return createElement(ServiceConnect, handle.view);
  };
  const tree = (shown: AppProps) =>
    createElement(StrictMode, null, createElement(Screen, { ...shown, generation: ++generation }));
  const until = async (done: () => boolean) => {
    while (!done()) await new Promise((resolve) => setImmediate(resolve));
  };

  // Things happen when the browser says so, as they do on a device.
  const renderer = create(tree(first));
  // Initialised, or an error that says why not.
  await until(() => calls.length > 0);
  const types = () =>
    renderer.root.findAll((node) => typeof node.type === 'string').map((node) => String(node.type));
  return {
    calls,
    results,
    handle: () => handle!,
    show: async (shown) => {
      renderer.update(tree(shown));
      await until(() => committed === generation);
    },
    screen: types,
    props: (type) => renderer.root.find((node) => String(node.type) === type).props,
    unmount: async () => renderer.unmount(),
  };
};
