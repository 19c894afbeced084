// One widget of a native application, without React: shows the page in a web view, exchanges messages with it, and ends each
// `open` in exactly one of onSuccess and onExit. Each `open` uses a new web view, so that no state is carried over.
import { reportLoadError, runCallback } from '../callbacks.ts';
import { checkOptions } from '../loader/options.ts';
import type { ExitArguments, HostMessage } from '../protocol.ts';
import type { ConnectEvent, ConnectOptions, ConnectSettings } from '../types.ts';
import { type HandledMessage, messageScript, parsePageMessage } from './bridge.ts';
import { parseServiceUrl, type ServiceUrl } from './serviceUrl.ts';

/** The options of `ServiceConnect.init` on the web, and those for native applications. */
export type ServiceConnectOptions = ConnectOptions & NativeOptions;

export type NativeOptions = {
  /** The https URL of the service. */
  baseUrl: string;
  /** A return address registered in the dashboard: `shop://bank-return`, or an https link. */
  returnAddress?: string;
  /** Opens a bank's own page. The default is `Linking.openURL`. */
  onRedirect?: (url: string) => void;
};

/** The state that the component renders. */
export type NativeWidgetState = {
  ready: boolean;
  error: Error | undefined;
  /** The page for the web view; undefined while the widget is closed. */
  opened: { openId: number; pageUrl: string } | undefined;
  /** The page is ready. */
  loaded: boolean;
};

export const initialState: NativeWidgetState = {
  ready: false,
  error: undefined,
  opened: undefined,
  loaded: false,
};

export type NativeWidgetOptions = {
  /** Called on each use, because each render of a component can have new options. */
  options: () => ServiceConnectOptions;
  onChange: (change: Partial<NativeWidgetState>) => void;
  /** Runs a script in the web view. */
  runScript: (script: string) => void;
  /** Opens a bank's own page unless the application does. Rejects if the device cannot. */
  openUrl: (url: string) => Promise<unknown>;
};

/** The settings are those of the `open` call. */
type NativeOpenState = {
  openId: number;
  serviceUrl: ServiceUrl;
  settings: ConnectSettings & NativeOptions;
  settled: boolean;
  loaded: boolean;
  /** The arguments for onExit if the widget closes now. */
  exit: ExitArguments;
};

/** The `nativeEvent` of the web view's events. */
export type WebViewEvent = { url: string };

const loadTimeoutMs = 30_000;

/** Throws a TypeError for an invalid option of native applications. */
const checkNativeOptions = ({ returnAddress, onRedirect }: NativeOptions): void => {
  if (returnAddress != null && !/^[a-z][a-z\d+.-]*:\/\/[^?#]+$/.test(returnAddress))
    throw new TypeError(
      `ServiceConnect: "returnAddress" must be like shop://bank-return, without a query; got ${JSON.stringify(returnAddress)}.`,
    );
  if (onRedirect != null && typeof onRedirect !== 'function')
    throw new TypeError('ServiceConnect: "onRedirect" must be a function.');
};

// Methods are fields, so that they can be passed to components as callbacks.
export class NativeWidget {
  readonly #widgetOptions: NativeWidgetOptions;
  #settingsKey: string | undefined;
  #lastOpenId = 0;
  #current: NativeOpenState | undefined;
  #loadTimeout: ReturnType<typeof setTimeout> | undefined;

  constructor(widgetOptions: NativeWidgetOptions) {
    this.#widgetOptions = widgetOptions;
  }

  /** Validates the options and calls onInit. Does nothing if `settingsKey`, which identifies the settings, is unchanged. */
  init = (settingsKey: string): void => {
    if (settingsKey === this.#settingsKey) return;
    this.#settingsKey = settingsKey;
    const options = this.#widgetOptions.options();
    if (!this.#checkOptions(options)) return;
    this.#widgetOptions.onChange({ ready: true, error: undefined });
    runCallback(() => options.onInit?.());
  };

  open = (): void => {
    if (this.#current) return;
    const settings = this.#widgetOptions.options();
    const serviceUrl = this.#checkOptions(settings);
    if (!serviceUrl) return;
    const openId = ++this.#lastOpenId;
    this.#current = { openId, serviceUrl, settings, settled: false, loaded: false, exit: [null, {}] };
    this.#loadTimeout = setTimeout(this.handleLoadError, loadTimeoutMs);
    const opened = { openId, pageUrl: serviceUrl.pageUrl(settings.applicationId) };
    this.#widgetOptions.onChange({ error: undefined, loaded: false, opened });
  };

  /** The device's back button. */
  back = (): void => {
    if (this.#current?.loaded) this.#send({ kind: 'back', openId: this.#current.openId });
    else this.close();
  };

  /** Called when settings change. The success screen stays open if the application puts the new connection into its options. */
  closeUnlessSucceeded = (): void => {
    if (!this.#current?.settled) this.close();
  };

  close = (): void => {
    const closed = this.#current;
    if (!closed) return;
    clearTimeout(this.#loadTimeout);
    this.#send({ kind: 'close', openId: closed.openId });
    this.#current = undefined;
    this.#widgetOptions.onChange({ opened: undefined, loaded: false });
    this.#emit('closed', closed.exit);
    if (!closed.settled) runCallback(() => this.#widgetOptions.options().onExit?.(...closed.exit));
  };

  /** Closes the widget and reports the error. The next `open` tries again. */
  handleLoadError = (): void => {
    if (!this.#current) return;
    const { origin } = this.#current.serviceUrl;
    this.close();
    this.#reportError(new Error(`ServiceConnect: the page at ${origin} could not be loaded.`), true);
  };

  /** True if the web view may load this URL. */
  shouldStartLoad = ({ url }: WebViewEvent): boolean => this.#current?.serviceUrl.isSameOrigin(url) === true;

  /** Closes the widget at another origin's URL, because web views do not always call `shouldStartLoad`. */
  handleLoadStart = (event: WebViewEvent): void => {
    if (!this.shouldStartLoad(event)) this.handleLoadError();
    // A reloaded page has lost its state.
    else if (this.#current?.loaded) this.close();
  };

  handleLoadEnd = (event: WebViewEvent): void => {
    // Some web views send this event more than once.
    if (!this.#current || this.#current.loaded || !this.shouldStartLoad(event)) return;
    const { language, theme } = this.#current.settings;
    this.#send({ kind: 'handshake', language, theme, events: true });
  };

  handleMessage = (event: WebViewEvent & { data: unknown }): void => {
    const current = this.#current;
    const message = current && parsePageMessage(current.serviceUrl, event);
    if (message?.kind === 'ready') this.#sendOpen(current!);
    else if (message && message.openId === current!.openId) this.#dispatch(current!, message);
  };

  /** If the application was opened at its return URL, passes the URL's code to the page. */
  handleUrl = ({ url }: { url: string }): void => {
    const { openId, settings: { returnAddress } = {} } = this.#current ?? {};
    if (openId === undefined || !returnAddress || !url.startsWith(returnAddress)) return;
    const [, code] = /^\/?\?(?:.*&)?code=([\w-]+)/.exec(url.slice(returnAddress.length)) ?? [];
    if (code) this.#send({ kind: 'returned', openId, code });
  };

  /** The service's URL; undefined, after reporting an error, if an option is invalid. */
  #checkOptions(options: ServiceConnectOptions): ServiceUrl | undefined {
    try {
      checkOptions(options, ['baseUrl', 'returnAddress', 'onRedirect']);
      checkNativeOptions(options);
      return parseServiceUrl(options.baseUrl);
    } catch (error) {
      this.#reportError(error as Error, false);
      return undefined;
    }
  }

  #sendOpen(current: NativeOpenState): void {
    if (current.loaded) return;
    current.loaded = true;
    clearTimeout(this.#loadTimeout);
    this.#widgetOptions.onChange({ loaded: true });
    const { externalUserId, userSignature, connectionId, accountSelection } = current.settings;
    const { institutionId, returnAddress } = current.settings;
    const user = { externalUserId, userSignature, connectionId, accountSelection };
    this.#send({ kind: 'open', openId: current.openId, ...user, institutionId, returnAddress });
  }

  #dispatch(current: NativeOpenState, message: Exclude<HandledMessage, { kind: 'ready' }>): void {
    if (message.kind === 'exit') {
      this.close();
      return;
    }
    if (message.kind === 'event') {
      current.exit = message.exit;
      this.#emit(message.name, message.exit);
      return;
    }
    if (message.kind === 'redirect') {
      this.#openBank(message.url);
      return;
    }
    if (message.kind !== 'success') return;
    // Sent before the callback: if onSuccess closes the widget, the result would otherwise be discarded.
    this.#send({ kind: 'resultReceived', openId: current.openId });
    if (current.settled) return;
    current.settled = true;
    runCallback(() => this.#widgetOptions.options().onSuccess?.(message.result));
  }

  #openBank(url: string): void {
    const { onRedirect } = this.#widgetOptions.options();
    if (onRedirect) runCallback(() => onRedirect(url));
    else
      this.#widgetOptions
        .openUrl(url)
        .catch((error: Error) => reportLoadError(this.#widgetOptions.options(), error));
  }

  #emit(name: ConnectEvent, [, metadata]: ExitArguments): void {
    runCallback(() => this.#widgetOptions.options().onEvent?.(name, metadata));
  }

  #reportError(error: Error, ready: boolean): void {
    this.#widgetOptions.onChange({ ready, error });
    reportLoadError(this.#widgetOptions.options(), error);
  }

  #send(message: HostMessage): void {
    if (this.#current) this.#widgetOptions.runScript(messageScript(this.#current.serviceUrl, message));
  }
}
