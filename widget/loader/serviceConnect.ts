// The widget as the host page holds it. It keeps one promise above all: each `open` ends in exactly one of
// onSuccess and onExit, whatever the page, the network or the host does. Functions over a few variables, because a
// class would weigh a sixth of a kilobyte more in every host page.
import type { ConnectOptions, ConnectResult, ConnectWidget } from '../embedding.ts';
import { checkOptions } from './options.ts';
import { loadPage, type Page, type Said } from './page.ts';

export type { ConnectWidget };

/** Runs a host's callback. Its mistakes are the host's to see and do not stop the widget. */
const call = (callback: () => void): void => {
  try {
    callback();
  } catch (error) {
    reportError(error);
  }
};

const report = (source: string, { onError }: ConnectOptions): void => {
  const error = new Error(
    `ServiceConnect: ${source} could not be loaded here. Does the application allow the origin ${location.origin}?`,
  );
  if (onError) call(() => onError(error));
  else console.error(error.message);
};

/** The openings of one widget, one after the other: each is settled once onSuccess or onExit was called for it. */
const makeOpenings = (options: ConnectOptions) => {
  let runs = 0;
  let present: { run: number; settled: boolean } | undefined;
  return {
    /** The number of the present one. */
    run: () => present?.run,
    begin: () => {
      present = { run: ++runs, settled: false };
    },
    succeed: (result: ConnectResult) => {
      if (present!.settled) return;
      present!.settled = true;
      call(() => options.onSuccess?.(result));
    },
    end: () => {
      const ended = present;
      present = undefined;
      if (!ended!.settled) call(() => options.onExit?.());
    },
  };
};

// What it makes needs no `this`, so that a host may pass `widget.open` on as it is.
const makeWidget = (base: string, options: ConnectOptions): ConnectWidget => {
  const source = `${base}connect?application=${options.applicationId}`;
  let page: Page | undefined;
  let destroyed = false;
  const openings = makeOpenings(options);
  const end = () => {
    if (!openings.run()) return;
    page?.hide();
    openings.end();
  };
  const askPage = () => {
    const { externalUserId, userSignature, connectionId, institutionId } = options;
    const run = openings.run();
    if (!run || !page?.ready()) return;
    page.enter();
    page.say({ kind: 'open', run, externalUserId, userSignature, connectionId, institutionId });
  };
  const heed = (said: Said) => {
    if (said.kind === 'ready') {
      // In this order: where onInit opens the widget, that asks the page, and nothing asks a second time.
      askPage();
      const { onInit } = options;
      options.onInit = undefined;
      call(() => onInit?.());
      // Else it may be of an opening that is over. Nobody has its result then, and the service must undo it.
    } else if (said.run === openings.run()) {
      if (said.kind === 'exit') return end();
      // Said first: onSuccess may close or destroy the widget, and what was not received would be undone.
      page?.say({ kind: 'received', run: said.run });
      openings.succeed(said.result);
    }
  };
  const load = () => {
    if (destroyed) return;
    page = loadPage(source, options, {
      message: heed,
      gone: end,
      failed: () => report(source, options),
      cancel: close,
    });
    if (openings.run()) page.show();
  };
  const open = () => {
    if (destroyed) throw new Error('ServiceConnect: this widget was destroyed. Call init for a new one.');
    if (openings.run()) return;
    openings.begin();
    page?.show();
    askPage();
  };
  const close = () => {
    const run = openings.run();
    if (run) page?.say({ kind: 'close', run });
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
    makeWidget(base, { ...checkOptions(options) });
