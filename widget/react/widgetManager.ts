// Loads the service's script and manages one widget for a component, which can be opened before the script has loaded.
// Independent of React.
import {
  type ConnectCallbacks,
  type ConnectSettings,
  type ConnectWidget,
  loadServiceConnect,
} from '@bank-connection/js';
import { reportLoadError, runCallback } from '../callbacks.ts';

/** The state that a component renders. */
export type WidgetState = { ready: boolean; error: Error | undefined };

export type WidgetManager = {
  /** Opens the widget. If it could not be loaded, tries again. */
  open(): void;
  /** True if the last `open` succeeded, so that the success screen may still be open. */
  succeeded(): boolean;
  dispose(): void;
};

export type WidgetManagerOptions = {
  baseUrl: string;
  settings: ConnectSettings;
  /** Called on each use, because each render of a component can have new callbacks. */
  callbacks: () => ConnectCallbacks;
  onChange: (change: Partial<WidgetState>) => void;
};

type ManagerState = {
  widget?: ConnectWidget;
  loading: boolean;
  openWhenLoaded: boolean;
  succeeded: boolean;
  disposed: boolean;
};

export const createWidgetManager = ({
  baseUrl,
  settings,
  callbacks,
  onChange,
}: WidgetManagerOptions): WidgetManager => {
  const state: ManagerState = { loading: false, openWhenLoaded: false, succeeded: false, disposed: false };

  const cancelOpen = () => {
    if (state.openWhenLoaded) runCallback(() => callbacks().onExit?.(null, {}));
    state.openWhenLoaded = false;
  };
  const fail = (error: Error) => {
    onChange({ error });
    reportLoadError(callbacks(), error);
  };
  const load = async () => {
    state.loading = true;
    try {
      const service = await loadServiceConnect(baseUrl);
      if (!state.disposed) state.widget = service?.init({ ...settings, ...forwardedCallbacks });
      if (state.openWhenLoaded) state.widget?.open();
      state.openWhenLoaded = false;
    } catch (error) {
      if (state.disposed) return;
      cancelOpen();
      fail(error as Error);
    } finally {
      state.loading = false;
    }
  };
  const forwardedCallbacks: Required<ConnectCallbacks> = {
    onInit: () => {
      onChange({ ready: true });
      callbacks().onInit?.();
    },
    onSuccess: (result) => {
      state.succeeded = true;
      callbacks().onSuccess?.(result);
    },
    onExit: (...exit) => callbacks().onExit?.(...exit),
    onEvent: (...event) => callbacks().onEvent?.(...event),
    onError: fail,
  };

  void load();
  return {
    open: () => {
      if (state.disposed) return;
      onChange({ error: undefined });
      state.succeeded = false;
      if (state.widget) return state.widget.open();
      state.openWhenLoaded = true;
      if (!state.loading) void load();
    },
    succeeded: () => state.succeeded,
    dispose: () => {
      if (state.disposed) return;
      state.disposed = true;
      cancelOpen();
      state.widget?.destroy();
    },
  };
};
