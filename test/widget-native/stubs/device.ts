// Where the web views of an application come from: set by the test, asked by the stand-in of the web view.
import type { WebViewProps } from 'react-native-webview';

/** The inside of one web view. */
export type BrowserView = {
  /** Runs a script in its page. */
  run(script: string): void;
  close(): void;
};

export type Device = { openView(props: () => WebViewProps): BrowserView };

let currentDevice: Device | undefined;

export const setDevice = (device: Device): void => {
  currentDevice = device;
};
export const device = (): Device => currentDevice!;
