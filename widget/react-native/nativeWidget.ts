// One widget of a native application, without React: opened, it asks for a web view, greets the page in it, hands
// on what the page says, and ends each opening in exactly one of onSuccess and onExit. Each opening has a web view
// of its own, so that nothing of one is left for the next.
import type { ConnectOptions, ConnectSettings } from '../types.ts';
import { checkOptions } from '../loader/options.ts';
import type { HostMessage, PageMessage } from '../protocol.ts';
import { runCallback, reportLoadError } from '../callbacks.ts';
import { parsePageMessage, messageScript } from './bridge.ts';
import { type ServiceAddress, parseServiceAddress } from './serviceAddress.ts';

/** The options of `ServiceConnect.init` on the web, and where the service is. */
export type ServiceConnectOptions = ConnectOptions & {
  /** The https address of the service. */
  baseUrl: string;
};

/** What is to be shown. */
export type NativeWidgetState = {
  ready: boolean;
  error: Error | undefined;
  /** The number of the opening, and the page for its web view; undefined while it is closed. */
  opened: { run: number; page: string } | undefined;
  /** The page has come up. */
  loaded: boolean;
};

export const initialState: NativeWidgetState = {
  ready: false,
  error: undefined,
  opened: undefined,
  loaded: false,
};

export type NativeWidgetOptions = {
  /** Asked each time, because a component has other ones after each rendering. */
  options: () => ServiceConnectOptions;
  onChange: (standing: Partial<NativeWidgetState>) => void;
  /** Runs a script in the web view. */
  runScript: (script: string) => void;
};

/** One opening goes on with the settings that it began with. */
type NativeOpenState = {
  openId: number;
  address: ServiceAddress;
  settings: ConnectSettings;
  settled: boolean;
  loaded: boolean;
};

/** What a web view tells. */
export type WebViewEvent = { url: string };

const loadTimeoutMs = 30_000;

// Its methods are fields, so that a view can be given the one that it needs.
export class NativeWidget {
  readonly #for: NativeWidgetOptions;
  #initialised: string | undefined;
  #runs = 0;
  #opening: NativeOpenState | undefined;
  #patience: ReturnType<typeof setTimeout> | undefined;

  constructor(wanted: NativeWidgetOptions) {
    this.#for = wanted;
  }

  /** There are settings, `key` for short: says whether they can be used. The same ones again change nothing. */
  init = (key: string): void => {
    if (key === this.#initialised) return;
    this.#initialised = key;
    const options = this.#for.options();
    if (!this.#check(options)) return;
    this.#for.onChange({ ready: true, error: undefined });
    runCallback(() => options.onInit?.());
  };

  open = (): void => {
    if (this.#opening) return;
    const settings = this.#for.options();
    const address = this.#check(settings);
    if (!address) return;
    const openId = ++this.#runs;
    this.#opening = { openId, address, settings, settled: false, loaded: false };
    this.#patience = setTimeout(this.handleLoadError, loadTimeoutMs);
    const opened = { run: openId, page: address.pageUrl(settings.applicationId) };
    this.#for.onChange({ error: undefined, loaded: false, opened });
  };

  /** The device's back button. */
  back = (): void => {
    if (this.#opening?.loaded) this.#say({ kind: 'back', run: this.#opening.openId });
    else this.close();
  };

  /** The settings are others now. An application that keeps the new connection must not blow out the last screen. */
  closeUnlessSucceeded = (): void => {
    if (!this.#opening?.settled) this.close();
  };

  /** The opening is over, whoever says so. */
  close = (): void => {
    const ended = this.#opening;
    if (!ended) return;
    clearTimeout(this.#patience);
    this.#say({ kind: 'close', run: ended.openId });
    this.#opening = undefined;
    this.#for.onChange({ opened: undefined, loaded: false });
    if (!ended.settled) runCallback(() => this.#for.options().onExit?.());
  };

  /** The page does not come up. The next `open` tries again. */
  handleLoadError = (): void => {
    if (!this.#opening) return;
    const { origin } = this.#opening.address;
    this.close();
    this.#report(new Error(`ServiceConnect: the page of ${origin} could not be loaded.`), true);
  };

  /** Whether the web view may go there. */
  shouldStartLoad = ({ url }: WebViewEvent): boolean => this.#opening?.address.isSameOrigin(url) === true;

  /** A web view does not always ask before it goes somewhere: one that is on its way elsewhere is taken away. */
  handleLoadStart = (place: WebViewEvent): void => {
    if (!this.shouldStartLoad(place)) this.handleLoadError();
    // The page goes away under the user, and with it all that it was doing.
    else if (this.#opening?.loaded) this.close();
  };

  handleLoadEnd = (place: WebViewEvent): void => {
    // Some web views say this more than once.
    if (!this.#opening || this.#opening.loaded || !this.shouldStartLoad(place)) return;
    const { language, theme } = this.#opening.settings;
    this.#say({ kind: 'hello', language, theme });
  };

  handleMessage = (said: WebViewEvent & { data: unknown }): void => {
    const opening = this.#opening;
    const message = opening && parsePageMessage(opening.address, said);
    if (message?.kind === 'ready') this.#begin(opening!);
    else if (message && message.run === opening!.openId) this.#heed(opening!, message);
  };

  /** Where the service is, or undefined where an option is wrong, which is reported. */
  #check(options: ServiceConnectOptions): ServiceAddress | undefined {
    try {
      checkOptions(options);
      return parseServiceAddress(options.baseUrl);
    } catch (error) {
      this.#report(error as Error, false);
      return undefined;
    }
  }

  #begin(opening: NativeOpenState): void {
    if (opening.loaded) return;
    opening.loaded = true;
    clearTimeout(this.#patience);
    this.#for.onChange({ loaded: true });
    const { externalUserId, userSignature, connectionId, institutionId } = opening.settings;
    const about = { externalUserId, userSignature, connectionId, institutionId };
    this.#say({ kind: 'open', run: opening.openId, ...about });
  }

  #heed(opening: NativeOpenState, message: Exclude<PageMessage, { kind: 'ready' | 'here' }>): void {
    if (message.kind === 'exit') {
      this.close();
      return;
    }
    if (!opening.settled) {
      opening.settled = true;
      runCallback(() => this.#for.options().onSuccess?.(message.result));
    }
    this.#say({ kind: 'received', run: opening.openId });
  }

  #report(error: Error, ready: boolean): void {
    this.#for.onChange({ ready, error });
    reportLoadError(this.#for.options(), error);
  }

  #say(message: HostMessage): void {
    if (this.#opening) this.#for.runScript(messageScript(this.#opening.address, message));
  }
}
