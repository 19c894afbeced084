// The widget as a hook, with the same options and callbacks as on the web. What it returns as `view` goes to
// <ServiceConnect>, which has to be somewhere in the application's screen.
import { useEffect, useInsertionEffect, useMemo, useRef, useState } from 'react';
import type { WebView } from 'react-native-webview';
import { pickSettings } from '../settings.ts';
import { initialState, NativeWidget, type ServiceConnectOptions } from './nativeWidget.ts';
import type { ServiceConnectProps } from './ServiceConnect.tsx';

export type { ServiceConnectOptions };

export type ServiceConnectHandle = {
  /** Opens the widget; after an error it tries again. Always the same function. */
  open: () => void;
  /** The widget has been initialised. */
  ready: boolean;
  /** Why the widget could not be loaded; gone with the next `open`. */
  error: Error | undefined;
  /** For `<ServiceConnect {...view} />`. */
  view: ServiceConnectProps;
};

/** The widget with these options. Other settings close it; other callbacks are simply called from then on. */
export const useServiceConnect = (options: ServiceConnectOptions): ServiceConnectHandle => {
  const [{ ready, error, opened, loaded }, setStanding] = useState(initialState);
  const latest = useRef(options);
  const webView = useRef<WebView>(null);
  const [widget] = useState(
    () =>
      new NativeWidget({
        options: () => latest.current,
        onChange: (part) => setStanding((standing) => ({ ...standing, ...part })),
        runScript: (script) => webView.current?.injectJavaScript(script),
      }),
  );

  useInsertionEffect(() => {
    latest.current = options;
  });

  const key = JSON.stringify([options.baseUrl, pickSettings(options)]);
  useEffect(() => {
    widget.init(key);
    return widget.closeUnlessSucceeded;
  }, [widget, key]);
  useEffect(() => widget.close, [widget]);

  const view = useMemo(() => ({ opened, loaded, webView, widget }), [opened, loaded, widget]);
  return { open: widget.open, ready, error, view };
};
