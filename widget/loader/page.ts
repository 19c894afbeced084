// The page in the frame, seen from the host: whether it has come up, and what it says. One that does not answer is
// given up on, because a host page must never be left behind a dark window that nothing will ever fill.
import type { ConnectTheme } from '../embedding.ts';
import { type HostMessage, type PageMessage, post, receive } from '../messages.ts';
import { addFrame } from './frame.ts';

export type Page = {
  ready(): boolean;
  say(message: HostMessage): void;
  show(): void;
  /** Moves the focus into it. */
  enter(): void;
  hide(): void;
  /** Takes the frame out of the host page. Nothing is heard of it any more. */
  remove(): void;
};

export type PageEvents = {
  message: (message: PageMessage) => void;
  /** The page came up and went away again: what it was doing is lost. */
  gone: () => void;
  /** It did not come up. */
  failed: () => void;
  /** Escape was pressed in the host page. */
  cancel: () => void;
};

const loadTimeoutMs = 30_000;
const answerTimeoutMs = 10_000;

export type PageAddress = {
  source: string;
  origin: string;
  language?: string | null;
  theme?: ConnectTheme | null;
};

/** Loads the page at `source`, which belongs to `origin`, and greets it. */
export const loadPage = (address: PageAddress, on: PageEvents): Page => {
  const { source, origin, language, theme } = address;
  const scheme = theme?.mode === 'auto' ? undefined : theme?.mode;
  let ready = false;
  let patience = setTimeout(on.failed, loadTimeoutMs);

  const say = (message: HostMessage) => {
    const page = frame.window();
    if (page) post(page, origin, message);
  };
  const onLoad = () => {
    if (ready) on.gone();
    ready = false;
    clearTimeout(patience);
    patience = setTimeout(on.failed, answerTimeoutMs);
    say({ kind: 'hello', language: language ?? undefined, theme: theme ?? undefined });
  };
  const onMessage = (event: MessageEvent) => {
    const message = receive<PageMessage>(event, { source: frame.window(), origin });
    if (!message) return;
    if (message.kind === 'ready') {
      clearTimeout(patience);
      ready = true;
      frame.name(message.title);
    }
    on.message(message);
  };

  const frame = addFrame({ source, scheme }, { load: onLoad, cancel: on.cancel });
  addEventListener('message', onMessage);
  return {
    ready: () => ready,
    say,
    show: frame.show,
    enter: frame.enter,
    hide: frame.hide,
    remove: () => {
      clearTimeout(patience);
      removeEventListener('message', onMessage);
      frame.remove();
    },
  };
};
