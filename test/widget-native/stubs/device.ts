// The device that opens the web views; the test sets it.
import type { WebViewProps } from 'react-native-webview';

/** The page of one web view. */
export type BrowserView = {
  run(script: string): void;
  close(): void;
};

export type Device = { openView(props: () => WebViewProps): BrowserView };

let currentDevice: Device | undefined;

export const setDevice = (device: Device): void => {
  currentDevice = device;
};
export const device = (): Device => currentDevice!;
