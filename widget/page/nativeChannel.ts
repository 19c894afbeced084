// The page's end of the bridge to a native application: the page is the whole of a web view. What the application
// says arrives as calls of one function, which only a script run inside this very page can reach: another window
// or frame cannot. What the page says goes through the web view's own bridge, as text.
import { type HostChannel, type HostMessage, protocolVersion } from '../protocol.ts';
import { type HostMessageHandlers, dispatchHostMessage } from './hostMessages.ts';

declare global {
  interface Window {
    /** The web view's way to its application. */
    ReactNativeWebView?: { postMessage: (text: string) => void };
    /** What the application calls. */
    serviceConnectPage?: (message: unknown) => void;
  }
}

type WebViewBridge = NonNullable<Window['ReactNativeWebView']>;

/** What the service is told of the host, in place of a web origin. */
const nativeOrigin = 'native';

/** Listens to the application around the web view. */
export const openNativeChannel = (bridge: WebViewBridge, on: HostMessageHandlers): HostChannel => {
  window.serviceConnectPage = (said) => {
    const message = said as (HostMessage & { serviceConnect?: unknown }) | null;
    if (message?.serviceConnect === protocolVersion) dispatchHostMessage(message, on);
  };
  return {
    origin: () => nativeOrigin,
    send: (message) => bridge.postMessage(JSON.stringify({ serviceConnect: protocolVersion, ...message })),
  };
};
