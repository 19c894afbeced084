// The widget as a hook, with the same options and callbacks as on the web. The returned `view` has the props for
// <ServiceConnect>, which the application renders.
import { useEffect, useInsertionEffect, useMemo, useRef, useState } from 'react';
import { Linking } from 'react-native';
import type { WebView } from 'react-native-webview';
import { pickSettings } from '../settings.ts';
import { initialState, NativeWidget, type ServiceConnectOptions } from './nativeWidget.ts';
import type { ServiceConnectProps } from './ServiceConnect.tsx';

export type { ServiceConnectOptions };

export type ServiceConnectHandle = {
  /** Opens the widget; after an error, tries again. The function never changes. */
  open: () => void;
  /** The options are valid, and `onInit` has been called. */
  ready: boolean;
  /** The reason why the widget could not be loaded; reset by the next `open`. */
  error: Error | undefined;
  /** For `<ServiceConnect {...view} />`. */
  view: ServiceConnectProps;
};

/** The widget with these options. Changed settings close it; changed callbacks take effect immediately. */
export const useServiceConnect = (options: ServiceConnectOptions): ServiceConnectHandle => {
  const [{ ready, error, opened, loaded }, setState] = useState(initialState);
  const latestOptions = useRef(options);
  const webView = useRef<WebView>(null);
  const [widget] = useState(
    () =>
      new NativeWidget({
        options: () => latestOptions.current,
        onChange: (change) => setState((state) => ({ ...state, ...change })),
        runScript: (script) => webView.current?.injectJavaScript(script),
        openUrl: (url) => Linking.openURL(url),
      }),
  );

  useInsertionEffect(() => {
    latestOptions.current = options;
  });

  const { baseUrl, returnAddress } = options;
  const settingsKey = JSON.stringify([baseUrl, returnAddress, pickSettings(options)]);
  useEffect(() => {
    widget.init(settingsKey);
    return widget.closeUnlessSucceeded;
  }, [widget, settingsKey]);
  useEffect(() => widget.close, [widget]);
  const isOpen = opened !== undefined;
  useEffect(() => {
    if (!isOpen) return;
    const subscription = Linking.addEventListener('url', widget.handleUrl);
    return () => subscription.remove();
  }, [widget, isOpen]);

  const view = useMemo(() => ({ opened, loaded, webView, widget }), [opened, loaded, widget]);
  return { open: widget.open, ready, error, view };
};
