// The widget's page in the frame, as seen by the host page: loads it, detects failures and exchanges messages. Browsers also fire
// `load` for their own error pages. But the page's script runs before `load`, so a page that does not respond to the handshake
// shortly after has failed.
import { type HostMessage, type PageMessage, parseMessage, postToWindow } from '../protocol.ts';
import type { ConnectSettings } from '../types.ts';
import { addFrame, type Frame } from './frame.ts';
import { loaderTextsFor } from './loaderTexts.ts';
import { findLoadFailure } from './whyNotLoaded.ts';

/** The page's messages that the widget handles. */
export type HandledMessage = Exclude<PageMessage, { kind: 'ack' }>;

export type Page = Pick<Frame, 'showPage' | 'hide'> & {
  isReady(): boolean;
  /** Shows the page, or the loading panel instead. Reloads a failed page. */
  show(): void;
  send(message: HostMessage): void;
  /** Removes the frame from the host page and stops listening. */
  remove(): void;
};

export type PageHandlers = {
  message: (message: HandledMessage) => void;
  /** The page was ready and then unloaded: its state is lost. */
  unloaded: () => void;
  /** The page could not be loaded. The reason is for developers. */
  failed: (reason: string) => void;
  /** The user closed the panel with its button or with Escape. */
  cancel: () => void;
  /** Escape was pressed in the host page while the page was shown. */
  leave: () => void;
};

const loadTimeoutMs = 30_000;
/** From the `load` event to `ack`. */
const ackTimeoutMs = 2000;
/** From `ack` to `ready`. */
const readyTimeoutMs = 10_000;
/** A removed frame stays this long, hidden, while the page acknowledges a result. */
const removalDelayMs = 1000;

/** Adds a frame and starts loading the page at `source` from the service at `base`. */
export const loadPage = (
  base: string,
  source: string,
  { applicationId, connectionId, accountSelection, language, theme }: ConnectSettings,
  on: PageHandlers,
): Page => {
  const { origin } = new URL(source);
  let state: 'loading' | 'ready' | 'failed' = 'loading';
  let delivered = false;
  let timeout: ReturnType<typeof setTimeout> | undefined;
  const fail = async () => {
    state = 'failed';
    frame.showPanel('');
    const { reason, shown } = await findLoadFailure(base, applicationId);
    // A later attempt to load the page may be in progress.
    if (state === 'failed' && shown) frame.showPanel(reason);
    on.failed(reason);
  };
  const failAfter = (milliseconds: number) => {
    clearTimeout(timeout);
    timeout = setTimeout(fail, milliseconds);
  };

  const send = (message: HostMessage) => {
    const page = frame.window();
    delivered ||= message.kind === 'resultReceived';
    if (page) postToWindow(page, origin, message);
  };
  const onLoad = () => {
    if (state === 'ready') on.unloaded();
    if (state !== 'loading') frame.showPanel();
    state = 'loading';
    failAfter(ackTimeoutMs);
    send({ kind: 'handshake', language, theme, events: true });
  };
  const onMessage = (event: MessageEvent) => {
    const message = parseMessage<PageMessage>(event, { source: frame.window(), origin });
    if (!message) return;
    if (message.kind === 'ack') return failAfter(readyTimeoutMs);
    if (message.kind === 'ready') {
      clearTimeout(timeout);
      state = 'ready';
      frame.setTitle(message.title);
    }
    on.message(message);
  };

  const load = () => {
    state = 'loading';
    frame.showPanel();
    frame.load(source);
    failAfter(loadTimeoutMs);
  };

  const texts = loaderTextsFor([language ?? '', ...navigator.languages]);
  const handlers = { load: onLoad, cancel: on.cancel, leave: on.leave, retry: load };
  const shape = connectionId && !accountSelection ? 'form' : 'consent';
  const frame = addFrame({ texts, colorScheme: theme?.mode, shape }, handlers);
  load();
  addEventListener('message', onMessage);
  return {
    ...frame,
    isReady: () => state === 'ready',
    show: () => {
      if (state === 'failed') load();
      frame.show();
    },
    send,
    remove: () => {
      clearTimeout(timeout);
      removeEventListener('message', onMessage);
      if (delivered) setTimeout(frame.remove, removalDelayMs);
      else frame.remove();
    },
  };
};
