// `ServiceConnect.init`: from options to a widget that can be opened. It keeps one promise above all: each `open`
// ends in exactly one of onSuccess and onExit, whatever the page, the network or the host does.
import { type HostMessage, type PageMessage, post, receive } from '../messages.ts';
import { addFrame, type Frame } from './frame.ts';
import { type ConnectOptions, checkOptions } from './options.ts';

/** What `init` returns. */
export type ConnectWidget = {
  /** Opens the widget, at once or as soon as it has loaded. While it is open, nothing happens. */
  open(): void;
  /** Closes it as the user would. */
  close(): void;
  /** Closes it and takes it out of the host page, for good. */
  destroy(): void;
};

const loadTimeoutMs = 30_000;
const answerTimeoutMs = 10_000;

/** `init` for the service at this address (which ends in a slash). */
export const makeInit =
  (base: string) =>
  (given: ConnectOptions): ConnectWidget => {
    const options = { ...checkOptions(given) };
    const { origin } = new URL(base);
    const source = `${base}connect?application=${encodeURIComponent(options.applicationId)}`;

    let frame: Frame | undefined;
    let ready = false;
    let initialised = false;
    let destroyed = false;
    let patience: ReturnType<typeof setTimeout> | undefined;
    let run = 0;
    /** The present opening. It is settled once one of onSuccess and onExit was called for it. */
    let opening: { run: number; settled: boolean } | undefined;

    const call = <Argument extends unknown[]>(
      callback: ((...argument: Argument) => void) | null | undefined,
      ...argument: Argument
    ) => {
      try {
        callback?.(...argument);
      } catch (error) {
        // The host's mistake is the host's to see, and does not stop what the widget is doing.
        reportError(error);
      }
    };
    const say = (message: HostMessage) => {
      const page = frame?.window();
      if (page) post(page, origin, message);
    };
    const end = () => {
      const ended = opening;
      opening = undefined;
      if (!ended) return;
      frame?.hide();
      if (!ended.settled) call(options.onExit);
    };
    const waitFor = (milliseconds: number) => {
      clearTimeout(patience);
      patience = setTimeout(fail, milliseconds);
    };
    const forget = () => {
      clearTimeout(patience);
      frame?.remove();
      frame = undefined;
      ready = false;
    };
    const fail = () => {
      console.error(
        `ServiceConnect: ${source} could not be loaded here. Is ${location.origin} an allowed origin of this application?`,
      );
      end();
      forget();
    };
    const askPage = () => {
      if (!opening) return;
      const { externalUserId, connectionId } = options;
      say({
        kind: 'open',
        run: opening.run,
        externalUserId: externalUserId ?? undefined,
        connectionId: connectionId ?? undefined,
      });
    };
    const onLoad = () => {
      // A second load means that the page went away, and with it the session that only it could go on with.
      if (ready) end();
      ready = false;
      waitFor(answerTimeoutMs);
      say({ kind: 'hello', language: options.language ?? undefined });
    };
    const load = () => {
      if (destroyed || frame) return;
      frame = addFrame(source, { load: onLoad, cancel: close });
      waitFor(loadTimeoutMs);
      if (opening) frame.show();
    };
    const heed = {
      ready: ({ title }: PageMessage & { kind: 'ready' }) => {
        clearTimeout(patience);
        ready = true;
        frame?.name(title);
        if (!initialised) call(options.onInit);
        initialised = true;
        askPage();
      },
      success: (message: PageMessage & { kind: 'success' }) => {
        // Not said for an opening that is over: nobody has its result then, and the service must undo it.
        if (opening?.run !== message.run) return;
        if (!opening.settled) {
          opening.settled = true;
          call(options.onSuccess, message.result);
        }
        say({ kind: 'received', run: message.run });
      },
      exit: (message: PageMessage & { kind: 'exit' }) => {
        if (opening?.run === message.run) end();
      },
    };
    const onMessage = (event: MessageEvent) => {
      const page = frame?.window();
      const message = page && receive<PageMessage>(event, { source: page, origin });
      if (message && Object.hasOwn(heed, message.kind)) heed[message.kind](message as never);
    };

    const open = () => {
      if (destroyed) throw new Error('ServiceConnect: this widget was destroyed. Call init for a new one.');
      if (opening) return;
      opening = { run: ++run, settled: false };
      if (frame) frame.show();
      else if (document.body) load();
      if (ready) askPage();
    };
    const close = () => {
      if (!opening) return;
      say({ kind: 'close', run: opening.run });
      end();
    };
    const destroy = () => {
      close();
      destroyed = true;
      forget();
      removeEventListener('message', onMessage);
    };

    addEventListener('message', onMessage);
    if (document.body) load();
    else addEventListener('DOMContentLoaded', load);
    return { open, close, destroy };
  };
