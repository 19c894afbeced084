// The widget in the host page. Each `open` ends in exactly one of onSuccess and onExit, whatever the page, the network
// or the host does. Functions instead of a class: a class adds 170 bytes to every host page.
import type { ConnectOptions, ConnectWidget } from '../types.ts';
import { checkOptions } from './options.ts';
import { loadPage, type Page, type PageEvent } from './page.ts';

export type { ConnectWidget };

/** Runs a callback of the host. An error in it is reported to the host page and does not stop the widget. */
const runCallback = (callback: () => void): void => {
  try {
    callback();
  } catch (error) {
    reportError(error);
  }
};

const reportLoadError = (source: string, { onError }: ConnectOptions): void => {
  const error = new Error(
    `ServiceConnect: ${source} could not be loaded. Does the application allow the origin?`,
  );
  if (onError) runCallback(() => onError(error));
  else console.error(error.message);
};

type OpenState = { openId: number; settled: boolean };

/** Calls onSuccess or onExit: only the first call for one `open` has an effect. */
const settleOnce = (state: OpenState, callback: () => void): void => {
  if (state.settled) return;
  state.settled = true;
  runCallback(callback);
};

// The returned functions do not use `this`, so that a host can pass `widget.open` as a callback.
const createWidget = (base: string, options: ConnectOptions): ConnectWidget => {
  // The page may be shown in a frame only if the application allows the origins of all pages around it.
  const source = `${base}connect?application=${options.applicationId}&origin=${[origin, ...(location.ancestorOrigins ?? [])]}`;
  let page: Page | undefined;
  let destroyed = false;
  let lastOpenId = 0;
  let current: OpenState | undefined;
  const hide = () => {
    const ended = current;
    current = undefined;
    page?.hide();
    if (ended) settleOnce(ended, () => options.onExit?.());
  };
  const sendOpen = () => {
    if (!current || !page?.isReady()) return;
    page.showPage();
    const { externalUserId, userSignature, connectionId, institutionId } = options;
    const params = { externalUserId, userSignature, connectionId, institutionId };
    page.send({ kind: 'open', openId: current.openId, ...params });
  };
  const dispatch = (event: PageEvent) => {
    if (event.kind === 'ready') {
      // sendOpen runs first: if onInit opens the widget, that call sends the message and it is sent only once.
      sendOpen();
      const { onInit } = options;
      options.onInit = undefined;
      runCallback(() => onInit?.());
      // An event of an earlier `open` is ignored. Its result is not acknowledged, so the service discards it.
    } else if (current && event.openId === current.openId) {
      if (event.kind === 'exit') return hide();
      // Sent before the callback: onSuccess may close or destroy the widget, and then the result would be discarded.
      page?.send({ kind: 'resultReceived', openId: event.openId });
      settleOnce(current, () => options.onSuccess?.(event.result));
    }
  };
  const load = () => {
    if (destroyed) return;
    page = loadPage(source, options, {
      message: dispatch,
      unloaded: hide,
      failed: () => reportLoadError(source, options),
      cancel: close,
    });
    if (current) page.show();
  };
  const open = () => {
    if (destroyed) throw new Error('ServiceConnect: this widget was destroyed. Call init again.');
    if (current) return;
    current = { openId: ++lastOpenId, settled: false };
    page?.show();
    sendOpen();
  };
  const close = () => {
    if (current) page?.send({ kind: 'close', openId: current.openId });
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

/** `init` for the service at the address `base`, which ends in a slash. */
export const makeInit =
  (base: string) =>
  (options: ConnectOptions): ConnectWidget =>
    createWidget(base, { ...checkOptions(options) });
