// A native application for the tests: renders the widget with the given props and records the callbacks.
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
  /** The prefix of this rendering's recorded callbacks. */
  label?: string;
  /** Puts the new connection into the options after success. */
  keepsConnection?: boolean;
  /** Closes the widget in onSuccess. */
  closesOnSuccess?: boolean;
};

export type App = {
  calls: string[];
  results: ConnectResult[];
  /** The hook's latest return value. */
  handle(): ServiceConnectHandle;
  render(props: AppProps): Promise<void>;
  /** The types of the rendered elements, outermost first. */
  elements(): string[];
  /** The props of the rendered element of a type. */
  props(type: string): Record<string, unknown>;
  unmount(): Promise<void>;
};

export const startApp = async (device: Device, initialProps: AppProps): Promise<App> => {
  setDevice(device);
  const calls: string[] = [];
  const results: ConnectResult[] = [];
  let handle: ServiceConnectHandle | undefined;

  let generation = 0;
  let committed = 0;

  const Screen = ({
    label = 'first',
    keepsConnection,
    closesOnSuccess,
    generation,
    ...options
  }: AppProps & { generation: number }) => {
    useEffect(() => {
      committed = generation;
    });
    const [connectionId, setConnectionId] = useState(options.connectionId);
    handle = useServiceConnect({
      ...options,
      connectionId,
      onInit: () => void calls.push(`${label} onInit`),
      onSuccess: (result) => {
        calls.push(`${label} onSuccess`);
        results.push(result);
        if (keepsConnection) setConnectionId(result.connectionId);
        if (closesOnSuccess) handle!.view.widget.close();
      },
      onExit: () => void calls.push(`${label} onExit`),
      onError: (error) => void calls.push(`${label} onError ${error.message}`),
    });
    return createElement(ServiceConnect, handle.view);
  };
  const tree = (props: AppProps) =>
    createElement(StrictMode, null, createElement(Screen, { ...props, generation: ++generation }));
  const until = async (done: () => boolean) => {
    while (!done()) await new Promise((resolve) => setImmediate(resolve));
  };

  const renderer = create(tree(initialProps));
  // The first callback is onInit or onError.
  await until(() => calls.length > 0);
  const elements = () =>
    renderer.root.findAll((node) => typeof node.type === 'string').map((node) => String(node.type));
  return {
    calls,
    results,
    handle: () => handle!,
    render: async (props) => {
      renderer.update(tree(props));
      await until(() => committed === generation);
    },
    elements,
    props: (type) => renderer.root.find((node) => String(node.type) === type).props,
    unmount: async () => renderer.unmount(),
  };
};
