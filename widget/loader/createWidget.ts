// The widget as the host page holds it. It keeps one promise above all: each `open` ends in exactly one of
// onSuccess and onExit, whatever the page, the network or the host does. Functions over a few variables, because a
// class would weigh a sixth of a kilobyte more in every host page.
import type { ConnectOptions, ConnectWidget } from '../types.ts';
import { checkOptions } from './options.ts';
import { loadPage, type Page, type PageEvent } from './page.ts';

export type { ConnectWidget };

/** Runs a host's callback. Its mistakes are the host's to see and do not stop the widget. */
const runCallback = (callback: () => void): void => {
  try {
    callback();
  } catch (error) {
    reportError(error);
  }
};

const reportLoadError = (source: string, { onError }: ConnectOptions): void => {
  const error = new Error(
    `ServiceConnect: ${source} could not be loaded here. Does the application allow the origin ${location.origin}?`,
  );
  if (onError) runCallback(() => onError(error));
  else console.error(error.message);
};

type OpenState = { openId: number; settled: boolean };

/** Calls onSuccess or onExit, whichever comes first, and neither a second time. */
const settleOnce = (opening: OpenState, callback: () => void): void => {
  if (opening.settled) return;
  opening.settled = true;
  runCallback(callback);
};

// What it makes needs no `this`, so that a host may pass `widget.open` on as it is.
const createWidget = (base: string, options: ConnectOptions): ConnectWidget => {
  const source = `${base}connect?application=${options.applicationId}`;
  let page: Page | undefined;
  let destroyed = false;
  let runs = 0;
  let opening: OpenState | undefined;
  const end = () => {
    const ended = opening;
    opening = undefined;
    page?.hide();
    if (ended) settleOnce(ended, () => options.onExit?.());
  };
  const askPage = () => {
    const { externalUserId, userSignature, connectionId, institutionId } = options;
    if (!opening || !page?.isReady()) return;
    page.showPage();
    page.send({
      kind: 'open',
      run: opening.openId,
      externalUserId,
      userSignature,
      connectionId,
      institutionId,
    });
  };
  const heed = (said: PageEvent) => {
    if (said.kind === 'ready') {
      // In this order: where onInit opens the widget, that asks the page, and nothing asks a second time.
      askPage();
      const { onInit } = options;
      options.onInit = undefined;
      runCallback(() => onInit?.());
      // Else it may be of an opening that is over. Nobody has its result then, and the service must undo it.
    } else if (opening && said.run === opening.openId) {
      if (said.kind === 'exit') return end();
      // Said first: onSuccess may close or destroy the widget, and what was not received would be undone.
      page?.send({ kind: 'received', run: said.run });
      settleOnce(opening, () => options.onSuccess?.(said.result));
    }
  };
  const load = () => {
    if (destroyed) return;
    page = loadPage(source, options, {
      message: heed,
      unloaded: end,
      failed: () => reportLoadError(source, options),
      cancel: close,
    });
    if (opening) page.show();
  };
  const open = () => {
    if (destroyed) throw new Error('ServiceConnect: this widget was destroyed. Call init for a new one.');
    if (opening) return;
    opening = { openId: ++runs, settled: false };
    page?.show();
    askPage();
  };
  const close = () => {
    if (opening) page?.send({ kind: 'close', run: opening.openId });
    end();
  };
  const destroy = () => {
    close();
    destroyed = true;
    page?.remove();
    removeEventListener('pageshow', comeBack);
  };
  // A host page that the browser had put away and shows again: the widget's page ended when it was put away.
  const comeBack = (event: PageTransitionEvent) => {
    if (event.persisted) end();
  };

  if (document.body) load();
  else addEventListener('DOMContentLoaded', load);
  addEventListener('pageshow', comeBack);
  return { open, close, destroy };
};

/** `init` for the service at this address (which ends in a slash). */
export const makeInit =
  (base: string) =>
  (options: ConnectOptions): ConnectWidget =>
    createWidget(base, { ...checkOptions(options) });
