// The widget as a hook. An effect loads the script, so that the hook works with server rendering. In React's strict mode, which
// mounts every component twice, one widget remains.
'use client';
import type { ConnectOptions, ConnectSettings } from '@bank-connection/js';
import { useCallback, useEffect, useInsertionEffect, useRef, useState } from 'react';
import { pickSettings } from '../settings.ts';
import { createWidgetManager, type WidgetManager, type WidgetState } from './widgetManager.ts';

/** The options of `ServiceConnect.init`, and the service's URL. */
export type ServiceConnectOptions = ConnectOptions & {
  /** The service's URL, from which `connect.js` is loaded. */
  baseUrl: string;
};

export type ServiceConnectHandle = {
  /** Opens the widget at once, or when it has loaded; after an error, tries again. The function never changes. */
  open: () => void;
  /** The widget is initialized. `open` may be called earlier. */
  ready: boolean;
  /** The reason why the widget could not be loaded; reset by the next `open`. */
  error: Error | undefined;
};

const initialState: WidgetState = { ready: false, error: undefined };

/** The widget with these options. Changed settings create a new widget; changed callbacks take effect immediately. */
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
