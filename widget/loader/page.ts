// The page in the frame, seen from the host: whether it has come up, and what it says. Browsers do not tell whether
// what they loaded into a frame was the page or an error of their own. But the page's script has run when they say
// that it has loaded, so that a silence after that is a failure, and soon known.
import type { ConnectSettings } from '../types.ts';
import { type HostMessage, type PageMessage, postToWindow, parseMessage } from '../protocol.ts';
import { addFrame, type Frame } from './frame.ts';
import { loaderTextsFor } from './loaderTexts.ts';

/** What it says that concerns the widget. */
export type PageEvent = Exclude<PageMessage, { kind: 'here' }>;

export type Page = Pick<Frame, 'showPage' | 'hide'> & {
  isReady(): boolean;
  /** Shows it, or the panel in its place. One that did not come up is loaded anew. */
  show(): void;
  send(message: HostMessage): void;
  /** Takes the frame out of the host page. Nothing is heard of it any more. */
  remove(): void;
};

export type PageHandlers = {
  message: (said: PageEvent) => void;
  /** The page came up and went away again: what it was doing is lost. */
  unloaded: () => void;
  /** It did not come up. */
  failed: () => void;
  /** Escape was pressed in the host page, or the panel's button. */
  cancel: () => void;
};

const loadTimeoutMs = 30_000;
/** From the end of loading to the first word. */
const ackTimeoutMs = 2000;
/** From there until it has all that it needs. */
const readyTimeoutMs = 10_000;
/** How long one that has a result to acknowledge is still there, out of sight, to hear that it may. */
const removalDelayMs = 1000;

/** Loads the page at `source` and greets it. */
export const loadPage = (source: string, { language, theme }: ConnectSettings, on: PageHandlers): Page => {
  const { origin } = new URL(source);
  let state: 'loading' | 'ready' | 'failed' = 'loading';
  let delivered = false;
  let patience: ReturnType<typeof setTimeout> | undefined;
  const fail = () => {
    state = 'failed';
    frame.showPanel(true);
    on.failed();
  };
  const wait = (milliseconds: number) => {
    clearTimeout(patience);
    patience = setTimeout(fail, milliseconds);
  };

  const send = (message: HostMessage) => {
    const page = frame.window();
    delivered ||= message.kind === 'received';
    if (page) postToWindow(page, origin, message);
  };
  const load = () => {
    if (state === 'ready') on.unloaded();
    if (state !== 'loading') frame.showPanel(false);
    state = 'loading';
    wait(ackTimeoutMs);
    send({ kind: 'hello', language, theme });
  };
  const onMessage = (event: MessageEvent) => {
    const message = parseMessage<PageMessage>(event, { source: frame.window(), origin });
    if (!message) return;
    if (message.kind === 'here') return wait(readyTimeoutMs);
    if (message.kind === 'ready') {
      clearTimeout(patience);
      state = 'ready';
      frame.setTitle(message.title);
    }
    on.message(message);
  };

  const start = () => {
    state = 'loading';
    frame.showPanel(false);
    frame.load(source);
    wait(loadTimeoutMs);
  };

  const texts = loaderTextsFor([language ?? '', ...navigator.languages]);
  const frame = addFrame({ texts, colorScheme: theme?.mode }, { load, cancel: on.cancel, retry: start });
  start();
  addEventListener('message', onMessage);
  return {
    ...frame,
    isReady: () => state === 'ready',
    show: () => {
      if (state === 'failed') start();
      frame.show();
    },
    send,
    remove: () => {
      clearTimeout(patience);
      removeEventListener('message', onMessage);
      if (delivered) setTimeout(frame.remove, removalDelayMs);
      else frame.remove();
    },
  };
};
