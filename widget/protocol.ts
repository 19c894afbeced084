// The messages between the host (the loader in a web page, or a native application) and the widget's page. Each message has the
// protocol version. Both sides accept a message only from the expected window and origin and post only to a specific origin. The
// page takes the host's origin from the handshake; the service decides if it is allowed.
import type {
  ConnectError,
  ConnectEvent,
  ConnectMetadata,
  ConnectResult,
  ConnectSettings,
  ConnectTheme,
} from './types.ts';

/** Incremented by a change that an older loader or page does not understand. */
export const protocolVersion = 1;

export type { ConnectResult };

/** The options of one `open`. */
type OpenParams = Pick<
  ConnectSettings,
  'externalUserId' | 'userSignature' | 'connectionId' | 'accountSelection' | 'institutionId'
> & {
  /** The return address of a native application for users who come from a bank's own page. */
  returnAddress?: string;
};

/**
 * Messages from the host to the page. `openId` numbers the `open` calls of one widget, so that a late message of an
 * earlier one is recognised.
 */
export type HostMessage =
  /** The first message, sent when the page has loaded. `events`: the host understands `event`; older ones do not. */
  | { kind: 'handshake'; language?: string | null; theme?: ConnectTheme | null; events?: boolean }
  /** `reloaded`: the host page was loaded again or restored, and this is its first `open`. Older hosts do not set it. */
  | ({ kind: 'open'; openId: number; reloaded?: boolean } & OpenParams)
  /** `onSuccess` gets the result. */
  | { kind: 'resultReceived'; openId: number }
  /** Closes the page at once. */
  | { kind: 'close'; openId: number }
  /** The user wants to leave: the page first asks them if something would be lost, and sends `exit` otherwise. */
  | { kind: 'leave'; openId: number }
  /** The native application was opened at its return address, with this code. */
  | { kind: 'returned'; openId: number; code: string }
  /** The device's back button: one screen back, or out of the widget. */
  | { kind: 'back'; openId: number };

/** Messages from the page to the host. */
export type PageMessage =
  /** The immediate response to `handshake`; the page may still be loading its texts. */
  | { kind: 'ack' }
  /** The page can be opened. `title` is the frame's accessible name, in the page's language. */
  | { kind: 'ready'; title: string }
  /** Something is visible: the first screen, or a message that the service cannot be reached. */
  | { kind: 'shown'; openId: number }
  | { kind: 'event'; openId: number; name: ConnectEvent; exit: ExitArguments }
  | { kind: 'success'; openId: number; result: ConnectResult }
  /** The user closed the widget. */
  | { kind: 'exit'; openId: number };

/** Messages from the page to a native application, which opens a bank's own page. */
export type NativePageMessage = PageMessage | { kind: 'redirect'; openId: number; url: string };

/** The arguments of `onExit` if the widget is closed now. The metadata is that of the event. */
export type ExitArguments = [error: ConnectError | null, metadata: ConnectMetadata];

/** The page's channel to its host: the web page around the frame, or the native application around the web view. */
export type HostChannel = {
  /** The web origin of the host, or `native`; empty before the handshake. */
  origin(): string;
  send(message: NativePageMessage): void;
};

/** Posts a message to another window if that still has this origin. */
export const postToWindow = (to: Window, origin: string, message: HostMessage | NativePageMessage): void =>
  to.postMessage({ serviceConnect: protocolVersion, ...message }, origin);

/** The message of an event from this window and origin; undefined for every other event. */
export const parseMessage = <Message extends HostMessage | PageMessage>(
  event: MessageEvent,
  from: { source: Window | null; origin: string },
): Message | undefined =>
  event.source === from.source &&
  event.origin === from.origin &&
  event.data?.serviceConnect === protocolVersion
    ? event.data
    : undefined;
