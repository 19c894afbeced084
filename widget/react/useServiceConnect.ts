// The widget as a hook. The script is loaded in an effect, so that the hook works with server rendering. React's
// strict mode, which mounts every component twice, leaves one widget.
'use client';
import type { ConnectOptions, ConnectSettings } from '@bank-connection/js';
import { useCallback, useEffect, useInsertionEffect, useRef, useState } from 'react';
import { pickSettings } from '../settings.ts';
import { createWidgetManager, type WidgetManager, type WidgetState } from './widgetManager.ts';

/** The options of `ServiceConnect.init`, and the address of the service. */
export type ServiceConnectOptions = ConnectOptions & {
  /** The address of the service; its `connect.js` is loaded from there. */
  baseUrl: string;
};

export type ServiceConnectHandle = {
  /** Opens the widget at once, or when it has loaded; after an error it tries again. The function never changes. */
  open: () => void;
  /** The widget has been initialised. `open` may be called earlier. */
  ready: boolean;
  /** The reason why the widget could not be loaded; reset by the next `open`. */
  error: Error | undefined;
};

const initialState: WidgetState = { ready: false, error: undefined };

/** The widget with these options. Changed settings create a new widget; changed callbacks are used from then on. */
export const useServiceConnect = (options: ServiceConnectOptions): ServiceConnectHandle => {
  const [state, setState] = useState(initialState);
  const latestOptions = useRef(options);
  const current = useRef<WidgetManager>(undefined);
  /** A widget with earlier settings whose success screen is still open. */
  const previous = useRef<WidgetManager>(undefined);

  useInsertionEffect(() => {
    latestOptions.current = options;
  });

  const { baseUrl } = options;
  const settings = JSON.stringify(pickSettings(options));
  useEffect(() => {
    const updateState = (change: Partial<WidgetState>) => setState((state) => ({ ...state, ...change }));
    const manager = createWidgetManager({
      baseUrl,
      settings: JSON.parse(settings) as ConnectSettings,
      callbacks: () => latestOptions.current,
      onChange: (change) => current.current === manager && updateState(change),
    });
    current.current = manager;
    return () => {
      updateState(initialState);
      current.current = undefined;
      // The success screen stays open if the application puts the new connection into its options.
      if (manager.succeeded()) previous.current = manager;
      else manager.dispose();
    };
  }, [baseUrl, settings]);

  useEffect(() => () => previous.current?.dispose(), []);

  const open = useCallback(() => {
    previous.current?.dispose();
    current.current?.open();
  }, []);
  return { open, ...state };
};
