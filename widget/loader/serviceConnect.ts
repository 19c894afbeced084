// The widget as the host page holds it. It keeps one promise above all: each `open` ends in exactly one of
// onSuccess and onExit, whatever the page, the network or the host does.
import type { ConnectOptions, ConnectWidget } from '../embedding.ts';
import type { PageMessage } from '../messages.ts';
import { checkOptions } from './options.ts';
import { loadPage, type Page } from './page.ts';

export type { ConnectWidget };

/** Runs a host's callback. Its mistakes are the host's to see and do not stop the widget. */
const call = (callback: () => void): void => {
  try {
    callback();
  } catch (error) {
    reportError(error);
  }
};

// Its methods are fields, so that a host may pass `widget.open` on as it is.
class Widget implements ConnectWidget {
  readonly #options: ConnectOptions;
  readonly #base: string;
  #page: Page | undefined;
  #initialised = false;
  #destroyed = false;
  #run = 0;
  /** The present opening. It is settled once one of onSuccess and onExit was called for it. */
  #opening: { run: number; settled: boolean } | undefined;

  constructor(base: string, options: ConnectOptions) {
    this.#base = base;
    this.#options = { ...options };
    if (document.body) this.#load();
    else addEventListener('DOMContentLoaded', this.#load);
    addEventListener('pageshow', this.#comeBack);
  }

  open = (): void => {
    if (this.#destroyed)
      throw new Error('ServiceConnect: this widget was destroyed. Call init for a new one.');
    if (this.#opening) return;
    this.#opening = { run: ++this.#run, settled: false };
    if (!this.#page) this.#load();
    else this.#page.show();
    this.#askPage();
  };

  close = (): void => {
    if (!this.#opening) return;
    this.#page?.say({ kind: 'close', run: this.#opening.run });
    this.#end();
  };

  destroy = (): void => {
    this.close();
    this.#destroyed = true;
    this.#forget();
    removeEventListener('pageshow', this.#comeBack);
  };

  /** A host page that the browser had put away and shows again: the widget's page ended when it was put away. */
  #comeBack = (event: PageTransitionEvent): void => {
    if (event.persisted) this.#end();
  };

  #load = (): void => {
    if (this.#destroyed || this.#page || !document.body) return;
    const source = `${this.#base}connect?application=${encodeURIComponent(this.#options.applicationId)}`;
    const { language, theme } = this.#options;
    const address = { source, origin: new URL(this.#base).origin, language, theme };
    this.#page = loadPage(address, {
      message: (message) => this.#heed(message),
      gone: () => this.#end(),
      failed: () => this.#fail(source),
      cancel: this.close,
    });
    if (this.#opening) this.#page.show();
  };

  #heed(message: PageMessage): void {
    if (message.kind === 'ready') {
      if (!this.#initialised) call(() => this.#options.onInit?.());
      this.#initialised = true;
      this.#askPage();
      // Else it may be of an opening that is over. Nobody has its result then, and the service must undo it.
    } else if (message.run === this.#opening?.run) {
      if (message.kind === 'success') this.#succeed(this.#opening, message);
      if (message.kind === 'exit') this.#end();
    }
  }

  #succeed(opening: { settled: boolean }, { run, result }: PageMessage & { kind: 'success' }): void {
    if (!opening.settled) {
      opening.settled = true;
      call(() => this.#options.onSuccess?.(result));
    }
    this.#page?.say({ kind: 'received', run });
  }

  #askPage(): void {
    const { externalUserId, userSignature, connectionId, institutionId } = this.#options;
    if (!this.#opening || !this.#page?.ready()) return;
    this.#page.enter();
    this.#page.say({
      kind: 'open',
      run: this.#opening.run,
      externalUserId: externalUserId ?? undefined,
      userSignature: userSignature ?? undefined,
      connectionId: connectionId ?? undefined,
      institutionId: institutionId ?? undefined,
    });
  }

  #end(): void {
    const ended = this.#opening;
    this.#opening = undefined;
    if (!ended) return;
    this.#page?.hide();
    if (!ended.settled) call(() => this.#options.onExit?.());
  }

  /** The next `open` tries again. */
  #fail(source: string): void {
    const error = new Error(
      `ServiceConnect: ${source} could not be loaded here. Does the application allow the origin ${location.origin}?`,
    );
    this.#end();
    this.#forget();
    const { onError } = this.#options;
    if (onError) call(() => onError(error));
    else console.error(error.message);
  }

  #forget(): void {
    this.#page?.remove();
    this.#page = undefined;
  }
}

/** `init` for the service at this address (which ends in a slash). */
export const makeInit =
  (base: string) =>
  (options: ConnectOptions): ConnectWidget =>
    new Widget(base, checkOptions(options));
