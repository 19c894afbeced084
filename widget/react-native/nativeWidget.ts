// One widget of a native application, without React: opened, it asks for a web view, greets the page in it, hands
// on what the page says, and ends each opening in exactly one of onSuccess and onExit. Each opening has a web view
// of its own, so that nothing of one is left for the next.
import type { ConnectOptions, ConnectSettings } from '../embedding.ts';
import { checkOptions } from '../loader/options.ts';
import type { HostMessage, PageMessage } from '../messages.ts';
import { call, tell } from '../report.ts';
import { messageFrom, scriptFor } from './bridge.ts';
import { type ServiceAddress, serviceAddress } from './serviceAddress.ts';

/** The options of `ServiceConnect.init` on the web, and where the service is. */
export type ServiceConnectOptions = ConnectOptions & {
  /** The https address of the service. */
  baseUrl: string;
};

/** What is to be shown. */
export type Standing = {
  ready: boolean;
  error: Error | undefined;
  /** The number of the opening, and the page for its web view; undefined while it is closed. */
  opening: { run: number; page: string } | undefined;
  /** The page has come up. */
  loaded: boolean;
};

export const atFirst: Standing = { ready: false, error: undefined, opening: undefined, loaded: false };

export type WidgetFor = {
  /** Asked each time, because a component has other ones after each rendering. */
  options: () => ServiceConnectOptions;
  change: (standing: Partial<Standing>) => void;
  /** Runs a script in the web view. */
  run: (script: string) => void;
};

/** One opening goes on with the settings that it began with. */
type Opening = {
  run: number;
  address: ServiceAddress;
  settings: ConnectSettings;
  settled: boolean;
  loaded: boolean;
};

/** What a web view tells. */
export type Place = { url: string };

const answerTimeoutMs = 30_000;

// Its methods are fields, so that a view can be given the one that it needs.
export class NativeWidget {
  readonly #for: WidgetFor;
  #initialised: string | undefined;
  #runs = 0;
  #opening: Opening | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;

  constructor(wanted: WidgetFor) {
    this.#for = wanted;
  }

  /** There are settings, `key` for short: says whether they can be used. The same ones again change nothing. */
  init = (key: string): void => {
    if (key === this.#initialised) return;
    this.#initialised = key;
    const options = this.#for.options();
    if (!this.#check(options)) return;
    this.#for.change({ ready: true, error: undefined });
    call(() => options.onInit?.());
  };

  open = (): void => {
    if (this.#opening) return;
    const settings = this.#for.options();
    const address = this.#check(settings);
    if (!address) return;
    const run = ++this.#runs;
    this.#opening = { run, address, settings, settled: false, loaded: false };
    this.#patience = setTimeout(this.fail, answerTimeoutMs);
    const opening = { run, page: address.page(settings.applicationId) };
    this.#for.change({ error: undefined, loaded: false, opening });
  };

  /** The device's back button. */
  back = (): void => {
    if (this.#opening?.loaded) this.#say({ kind: 'back', run: this.#opening.run });
    else this.end();
  };

  /** The settings are others now. An application that keeps the new connection must not blow out the last screen. */
  leave = (): void => {
    if (!this.#opening?.settled) this.end();
  };

  /** The opening is over, whoever says so. */
  end = (): void => {
    const ended = this.#opening;
    if (!ended) return;
    clearTimeout(this.#patience);
    this.#say({ kind: 'close', run: ended.run });
    this.#opening = undefined;
    this.#for.change({ opening: undefined, loaded: false });
    if (!ended.settled) call(() => this.#for.options().onExit?.());
  };

  /** The page does not come up. The next `open` tries again. */
  fail = (): void => {
    if (!this.#opening) return;
    const { origin } = this.#opening.address;
    this.end();
    this.#report(new Error(`ServiceConnect: the page of ${origin} could not be loaded.`), true);
  };

  /** Whether the web view may go there. */
  allows = ({ url }: Place): boolean => this.#opening?.address.isOurs(url) === true;

  /** A web view does not always ask before it goes somewhere: one that is on its way elsewhere is taken away. */
  loads = (place: Place): void => {
    if (!this.allows(place)) this.fail();
    // The page goes away under the user, and with it all that it was doing.
    else if (this.#opening?.loaded) this.end();
  };

  hasLoaded = (place: Place): void => {
    // Some web views say this more than once.
    if (!this.#opening || this.#opening.loaded || !this.allows(place)) return;
    const { language, theme } = this.#opening.settings;
    this.#say({ kind: 'hello', language, theme });
  };

  hears = (said: Place & { data: unknown }): void => {
    const opening = this.#opening;
    const message = opening && messageFrom(opening.address, said);
    if (message?.kind === 'ready') this.#begin(opening!);
    else if (message && message.run === opening!.run) this.#heed(opening!, message);
  };

  /** Where the service is, or undefined where an option is wrong, which is reported. */
  #check(options: ServiceConnectOptions): ServiceAddress | undefined {
    try {
      checkOptions(options);
      return serviceAddress(options.baseUrl);
    } catch (error) {
      this.#report(error as Error, false);
      return undefined;
    }
  }

  #begin(opening: Opening): void {
    if (opening.loaded) return;
    opening.loaded = true;
    clearTimeout(this.#patience);
    this.#for.change({ loaded: true });
    const { externalUserId, userSignature, connectionId, institutionId } = opening.settings;
    const about = { externalUserId, userSignature, connectionId, institutionId };
    this.#say({ kind: 'open', run: opening.run, ...about });
  }

  #heed(opening: Opening, message: Exclude<PageMessage, { kind: 'ready' | 'here' }>): void {
    if (message.kind === 'exit') {
      this.end();
      return;
    }
    if (!opening.settled) {
      opening.settled = true;
      call(() => this.#for.options().onSuccess?.(message.result));
    }
    this.#say({ kind: 'received', run: opening.run });
  }

  #report(error: Error, ready: boolean): void {
    this.#for.change({ ready, error });
    tell(this.#for.options(), error);
  }

  #say(message: HostMessage): void {
    if (this.#opening) this.#for.run(scriptFor(this.#opening.address, message));
  }
}
