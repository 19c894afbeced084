// What the loader in the host page and the page in the frame say to each other. Each message is an object with
// the protocol's version. Both sides take a message only from the window and the origin that they expect, and
// send only to an origin that they name: the page learns its host's from the host's first message, and the
// service decides whether a session may start there.
import type { ConnectResult, ConnectSettings, ConnectTheme } from './types.ts';

/** Rises when an older loader or page could no longer be understood. */
export const protocolVersion = 1;

export type { ConnectResult };

/** What one opening is about. */
type OpenParams = Pick<
  ConnectSettings,
  'externalUserId' | 'userSignature' | 'connectionId' | 'institutionId'
>;

/**
 * What the host says. `run` numbers the openings of one widget, so that an answer that comes late is not taken for
 * one of the next opening.
 */
export type HostMessage =
  /** The first word, said once the page has loaded. */
  | { kind: 'hello'; language?: string | null; theme?: ConnectTheme | null }
  | ({ kind: 'open'; run: number } & OpenParams)
  /** The result has been handed to `onSuccess`. */
  | { kind: 'received'; run: number }
  | { kind: 'close'; run: number }
  /** The device's back button: one screen back, or out of the widget. */
  | { kind: 'back'; run: number };

/** What the page says. */
export type PageMessage =
  /** The answer to `hello`, given at once: somebody is there, and may still be loading. */
  | { kind: 'here' }
  /** It can be opened. `title` names the frame, in the reader's language. */
  | { kind: 'ready'; title: string }
  | { kind: 'success'; run: number; result: ConnectResult }
  /** The user closed the widget. */
  | { kind: 'exit'; run: number };

/** The page's way to whoever embeds it: a web page around its frame, or a native application around its view. */
export type HostChannel = {
  /** The web origin of the host, or `native`; known from its first message on. */
  origin(): string;
  send(message: PageMessage): void;
};

/** Says something to another window, if it still is of this origin. */
export const postToWindow = (to: Window, origin: string, message: HostMessage | PageMessage): void =>
  to.postMessage({ serviceConnect: protocolVersion, ...message }, origin);

/** A message of ours that came from exactly this window and origin; undefined for everything else. */
export const parseMessage = <Message extends HostMessage | PageMessage>(
  event: MessageEvent,
  from: { source: Window | null; origin: string },
): Message | undefined =>
  event.source === from.source &&
  event.origin === from.origin &&
  event.data?.serviceConnect === protocolVersion
    ? event.data
    : undefined;
