// The device that opens the web views, set by the test.
import type { WebViewProps } from 'react-native-webview';

/** The page of one web view. */
export type BrowserView = {
  run(script: string): void;
  close(): void;
};

export type UrlListener = (event: { url: string }) => void;

export type Device = {
  openView(props: () => WebViewProps): BrowserView;
  /** Opens an address outside the application. */
  openUrl(url: string): Promise<void>;
  /** Listeners for the addresses at which the application is opened. */
  urlListeners: Set<UrlListener>;
};

let currentDevice: Device | undefined;

export const setDevice = (device: Device): void => {
  currentDevice = device;
};
export const device = (): Device => currentDevice!;
