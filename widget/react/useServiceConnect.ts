// The widget as a hook. The script is asked for when the component is in a page, never while it is rendered, so that
// rendering on a server needs no page. React's strict mode, which mounts everything twice, leaves one widget.
'use client';
import { useCallback, useEffect, useInsertionEffect, useRef, useState } from 'react';
import type { ConnectOptions, ConnectSettings } from '../types.ts';
import { pickSettings } from '../settings.ts';
import { type WidgetManager, createWidgetManager, type WidgetState } from './widgetManager.ts';

/** The options of `ServiceConnect.init`, and where the service is. */
export type ServiceConnectOptions = ConnectOptions & {
  /** The address of the service; its `connect.js` is loaded from there. */
  baseUrl: string;
};

export type ServiceConnectHandle = {
  /** Opens the widget, at once or as soon as it has loaded; after an error it tries again. Always the same function. */
  open: () => void;
  /** The widget has been initialised. `open` may be called before. */
  ready: boolean;
  /** Why the widget could not be loaded; gone with the next `open`. */
  error: Error | undefined;
};

const initialState: WidgetState = { ready: false, error: undefined };

/** The widget with these options. Other settings make another widget; other callbacks are called from then on. */
export const useServiceConnect = (options: ServiceConnectOptions): ServiceConnectHandle => {
  const [standing, setStanding] = useState(initialState);
  const latest = useRef(options);
  const held = useRef<WidgetManager>(undefined);
  const before = useRef<WidgetManager>(undefined);

  useInsertionEffect(() => {
    latest.current = options;
  });

  const { baseUrl } = options;
  const settings = JSON.stringify(pickSettings(options));
  useEffect(() => {
    const change = (part: Partial<WidgetState>) => setStanding((standing) => ({ ...standing, ...part }));
    const widget = createWidgetManager({
      baseUrl,
      settings: JSON.parse(settings) as ConnectSettings,
      callbacks: () => latest.current,
      onChange: (part) => held.current === widget && change(part),
    });
    held.current = widget;
    return () => {
      change(initialState);
      held.current = undefined;
      // An application that keeps the new connection in its options must not blow out the screen that says so.
      if (widget.succeeded()) before.current = widget;
      else widget.dispose();
    };
  }, [baseUrl, settings]);

  useEffect(() => () => before.current?.dispose(), []);

  const open = useCallback(() => {
    before.current?.dispose();
    held.current?.open();
  }, []);
  return { open, ...standing };
};
