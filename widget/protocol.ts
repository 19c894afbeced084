// The messages between the host (the loader in a web page, or a native application) and the widget's page. Each message contains
// the protocol version. Both sides accept messages only from the expected window and origin, and post only to a specific origin.
// The page takes the host's origin from the handshake; the service decides if it is allowed.
import type {
  ConnectError,
  ConnectEvent,
  ConnectMetadata,
  ConnectResult,
  ConnectSettings,
  ConnectTheme,
} from './types.ts';

/** Incremented for changes that older loaders or pages do not understand. */
export const protocolVersion = 1;

export type { ConnectResult };

/** The options for one `open`. */
type OpenParams = Pick<
  ConnectSettings,
  'externalUserId' | 'userSignature' | 'connectionId' | 'accountSelection' | 'institutionId'
> & {
  /** The native application's return URL for users who come from a bank's own page. */
  returnAddress?: string;
};

/**
 * Messages from the host to the page. `openId` numbers the `open` calls of a widget, so that late messages from an earlier call
 * are recognized.
 */
export type HostMessage =
  /** The first message, sent when the page has loaded. `events`: the host understands `event`, unlike older ones. */
  | { kind: 'handshake'; language?: string | null; theme?: ConnectTheme | null; events?: boolean }
  /** `reloaded`: this is the first `open` after the host page was reloaded or restored. Older hosts do not set it. */
  | ({ kind: 'open'; openId: number; reloaded?: boolean } & OpenParams)
  /** `onSuccess` gets the result. */
  | { kind: 'resultReceived'; openId: number }
  /** Closes the page immediately. */
  | { kind: 'close'; openId: number }
  /** The user wants to leave. The page asks for confirmation if something would be lost, else it sends `exit`. */
  | { kind: 'leave'; openId: number }
  /** The native application was opened at its return URL, with this code. */
  | { kind: 'returned'; openId: number; code: string }
  /** The device's back button: shows the previous screen, or exits the widget. */
  | { kind: 'back'; openId: number };

/** Messages from the page to the host. */
export type PageMessage =
  /** The immediate response to `handshake`; the page may still be loading its texts. */
  | { kind: 'ack' }
  /** The page can be opened. `title` is the frame's accessible name, in the page's language. */
  | { kind: 'ready'; title: string }
  /** Something is visible: the first screen, or a message that the service is unreachable. */
  | { kind: 'shown'; openId: number }
  | { kind: 'event'; openId: number; name: ConnectEvent; exit: ExitArguments }
  | { kind: 'success'; openId: number; result: ConnectResult }
  /** The user closed the widget. */
  | { kind: 'exit'; openId: number };

/** Messages from the page to a native application, which opens a bank's own page. */
export type NativePageMessage = PageMessage | { kind: 'redirect'; openId: number; url: string };

/** The arguments for `onExit` if the widget closes now. The metadata is the event's. */
export type ExitArguments = [error: ConnectError | null, metadata: ConnectMetadata];

/** The page's channel to its host: the web page around the frame, or the native application around the web view. */
export type HostChannel = {
  /** The host's web origin, or `native`; empty before the handshake. */
  origin(): string;
  send(message: NativePageMessage): void;
};

/** Posts a message to another window if it still has this origin. */
export const postToWindow = (to: Window, origin: string, message: HostMessage | NativePageMessage): void =>
  to.postMessage({ serviceConnect: protocolVersion, ...message }, origin);

/** The message of an event from this window and origin; undefined for any other event. */
export const parseMessage = <Message extends HostMessage | PageMessage>(
  event: MessageEvent,
  from: { source: Window | null; origin: string },
): Message | undefined =>
  event.source === from.source &&
  event.origin === from.origin &&
  event.data?.serviceConnect === protocolVersion
    ? event.data
    : undefined;
