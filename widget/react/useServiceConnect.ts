// The widget as a hook. The script is asked for when the component is in a page, never while it is rendered, so that
// rendering on a server needs no page. React's strict mode, which mounts everything twice, leaves one widget.
'use client';
import { useCallback, useEffect, useInsertionEffect, useRef, useState } from 'react';
import type { ConnectOptions, ConnectSettings } from '../embedding.ts';
import { settingsOf } from '../settings.ts';
import { type HeldWidget, holdWidget, type Standing } from './holdWidget.ts';

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

const atFirst: Standing = { ready: false, error: undefined };

/** The widget with these options. Other settings make another widget; other callbacks are called from then on. */
export const useServiceConnect = (options: ServiceConnectOptions): ServiceConnectHandle => {
  const [standing, setStanding] = useState(atFirst);
  const latest = useRef(options);
  const held = useRef<HeldWidget>(undefined);
  const before = useRef<HeldWidget>(undefined);

  useInsertionEffect(() => {
    latest.current = options;
  });

  const { baseUrl } = options;
  const settings = JSON.stringify(settingsOf(options));
  useEffect(() => {
    const change = (part: Partial<Standing>) => setStanding((standing) => ({ ...standing, ...part }));
    const widget = holdWidget({
      baseUrl,
      settings: JSON.parse(settings) as ConnectSettings,
      callbacks: () => latest.current,
      change: (part) => held.current === widget && change(part),
    });
    held.current = widget;
    return () => {
      change(atFirst);
      held.current = undefined;
      // An application that keeps the new connection in its options must not blow out the screen that says so.
      if (widget.succeeded()) before.current = widget;
      else widget.end();
    };
  }, [baseUrl, settings]);

  useEffect(() => () => before.current?.end(), []);

  const open = useCallback(() => {
    before.current?.end();
    held.current?.open();
  }, []);
  return { open, ...standing };
};
