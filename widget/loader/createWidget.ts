// The widget in the host page. Each `open` ends in exactly one of onSuccess and onExit, regardless of the page, the network and
// the host. Functions instead of a class, which would add 170 bytes to every host page.

import type { ExitArguments, HostMessage } from '../protocol.ts';
import type { ConnectOptions, ConnectSettings, ConnectWidget } from '../types.ts';
import { checkOptions } from './options.ts';
import { type HandledMessage, loadPage, type Page } from './page.ts';

export type { ConnectWidget };

/** Runs one of the host's callbacks. An error in it is reported to the host page and does not stop the widget. */
const run = <Args extends unknown[]>(
  callback: ((...args: Args) => void) | undefined,
  ...args: Args
): void => {
  try {
    callback?.(...args);
  } catch (error) {
    reportError(error);
  }
};

const reportLoadError = (reason: string, { onError }: ConnectOptions): void => {
  const error = new Error(`ServiceConnect: the widget could not be loaded. ${reason}`);
  if (onError) run(onError, error);
  else console.error(error.message);
};

/** Callbacks cannot be sent. The page ignores other unknown properties. */
const withoutCallbacks = (options: ConnectOptions): ConnectSettings => JSON.parse(JSON.stringify(options));

/** The page may be shown in a frame only if the application allows the origins of all enclosing pages. */
const pageSource = (base: string, { applicationId }: ConnectOptions): string =>
  `${base}connect?application=${applicationId}&origin=${[origin, ...(location.ancestorOrigins ?? [])]}`;

/** `reloaded` is true if the browser reloaded the host page, or restored it after discarding it. */
const openMessage = (options: ConnectOptions, openId: number): HostMessage => {
  const [loading] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  const reloaded = openId < 2 && ['reload', 'back_forward'].includes(loading?.type ?? '');
  return { ...withoutCallbacks(options), kind: 'open', openId, reloaded };
};

// The returned functions do not use `this`, so that a host can pass `widget.open` as a callback. State is in variables, because
// minifiers do not shorten property names.
const createWidget = (base: string, options: ConnectOptions): ConnectWidget => {
  const source = pageSource(base, options);
  let page: Page | undefined;
  let destroyed = false;
  let lastOpenId = 0;
  let isOpen = false;
  /** `succeeded`: onSuccess was called for the last `open`. `exit`: the arguments for onExit if the widget closes now. */
  let succeeded = false;
  let exit: ExitArguments;
  const hide = () => {
    const [wasOpen, exits, last] = [isOpen, !succeeded, exit];
    isOpen = false;
    page?.hide();
    if (!wasOpen) return;
    run(options.onEvent, 'closed', last[1]);
    if (exits) run(options.onExit, ...last);
  };
  const sendOpen = () => {
    if (isOpen && page?.isReady()) page.send(openMessage(options, lastOpenId));
  };
  const handleMessage = (message: HandledMessage) => {
    if (message.kind === 'ready') {
      // sendOpen runs first: if onInit calls `open`, that call sends the message, which must be sent only once.
      sendOpen();
      run(options.onInit);
      options.onInit = undefined;
      // Messages of an earlier `open` are ignored. Its result is not acknowledged, so the service discards it.
    } else if (isOpen && message.openId === lastOpenId) {
      if (message.kind === 'shown') return page?.showPage();
      if (message.kind === 'exit') return hide();
      if (message.kind === 'event') {
        exit = message.exit;
        return run(options.onEvent, message.name, exit[1]);
      }
      // Sent before the callback: if onSuccess closes or destroys the widget, the result would otherwise be discarded.
      page?.send({ kind: 'resultReceived', openId: lastOpenId });
      if (succeeded) return;
      succeeded = true;
      run(options.onSuccess, message.result);
    }
  };
  const load = () => {
    if (destroyed) return;
    page = loadPage(base, source, options, {
      message: handleMessage,
      unloaded: hide,
      failed: (reason) => reportLoadError(reason, options),
      cancel: close,
      leave: () => page?.send({ kind: 'leave', openId: lastOpenId }),
    });
    if (isOpen) page.show();
  };
  const open = () => {
    if (destroyed) throw new Error('ServiceConnect: this widget was destroyed.');
    if (isOpen) return;
    lastOpenId++;
    isOpen = true;
    succeeded = false;
    exit = [null, {}];
    page?.show();
    sendOpen();
  };
  const close = () => {
    if (isOpen) page?.send({ kind: 'close', openId: lastOpenId });
    hide();
  };
  const destroy = () => {
    close();
    destroyed = true;
    page?.remove();
    removeEventListener('pageshow', onPageShow);
  };
  // The browser restored the host page from its back/forward cache. The frame's page ended on `pagehide`.
  const onPageShow = (event: PageTransitionEvent) => {
    if (event.persisted) hide();
  };

  if (document.body) load();
  else addEventListener('DOMContentLoaded', load);
  addEventListener('pageshow', onPageShow);
  return { open, close, destroy };
};

/** `init` for the service at the URL `base`, which ends with a slash. */
export const makeInit =
  (base: string) =>
  (options: ConnectOptions): ConnectWidget =>
    createWidget(base, { ...checkOptions(options) });
