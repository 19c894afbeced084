// The page's channel to its host: the web page around the frame, or the native application around the web view. It validates
// incoming messages and calls the handler for their kind.
import {
  type HostChannel,
  type HostMessage,
  parseMessage,
  postToWindow,
  protocolVersion,
} from '../protocol.ts';

type Kind = HostMessage['kind'];
export type HostMessageHandlers = { [K in Kind]: (message: HostMessage & { kind: K }) => void };

declare global {
  interface Window {
    /** Defined by react-native-webview; posts text to the native application. */
    ReactNativeWebView?: { postMessage: (text: string) => void };
    /** Called by scripts that the native application injects. */
    serviceConnectPage?: (message: unknown) => void;
  }
}

/** The channel to this page's host; undefined if the page is opened on its own. */
export const openHostChannel = (on: HostMessageHandlers): HostChannel | undefined => {
  if (window.parent !== window) return openFrameChannel(window.parent, on);
  return window.ReactNativeWebView && openNativeChannel(window.ReactNativeWebView, on);
};

// The origin of the parent window's first `handshake` is the host's origin until the page is unloaded. Messages from other
// origins are ignored, and nothing is sent before the handshake. Opaque origins ("null") are never accepted.
const openFrameChannel = (parent: Window, on: HostMessageHandlers): HostChannel => {
  let origin: string | undefined;
  addEventListener('message', (event) => {
    const message = parseMessage<HostMessage>(event, { source: parent, origin: origin ?? event.origin });
    if (!message || event.origin === 'null') return;
    if (message.kind === 'handshake') origin = event.origin;
    if (origin) dispatch(message, on);
  });
  return {
    origin: () => origin ?? '',
    send: (message) => {
      if (origin) postToWindow(parent, origin, message);
    },
  };
};

/** Sent to the service instead of a web origin. */
export const nativeOrigin = 'native';

// The application injects scripts that call a global function of the page, which other windows and frames cannot do. The page
// sends text through the web view's own bridge.
const openNativeChannel = (
  webView: NonNullable<Window['ReactNativeWebView']>,
  on: HostMessageHandlers,
): HostChannel => {
  window.serviceConnectPage = (value) => {
    const message = value as (HostMessage & { serviceConnect?: unknown }) | null;
    if (message?.serviceConnect === protocolVersion) dispatch(message, on);
  };
  return {
    origin: () => nativeOrigin,
    send: (message) => webView.postMessage(JSON.stringify({ serviceConnect: protocolVersion, ...message })),
  };
};

const stringOrUndefined = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

const openTexts = [
  'externalUserId',
  'userSignature',
  'connectionId',
  'institutionId',
  'returnAddress',
] as const;

/** Calls a message's handler with the known fields only. Ignores unknown kinds. */
const dispatch = (message: HostMessage, on: HostMessageHandlers): void => {
  const openId = Number((message as { openId?: number }).openId);
  switch (message.kind) {
    case 'handshake': {
      const language = stringOrUndefined(message.language);
      const { theme, events } = message;
      on.handshake({ kind: 'handshake', language, theme, events: events === true });
      break;
    }
    case 'open':
      on.open({
        ...Object.fromEntries(openTexts.map((name) => [name, stringOrUndefined(message[name])])),
        ...{ kind: 'open', openId, reloaded: message.reloaded === true },
        accountSelection: message.accountSelection === true,
      });
      break;
    case 'returned':
      on.returned({ kind: 'returned', openId, code: String(message.code) });
      break;
    case 'resultReceived':
    case 'close':
    case 'leave':
    case 'back':
      on[message.kind]({ kind: message.kind, openId } as never);
  }
};
