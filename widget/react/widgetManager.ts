// One widget in a page, held for a component: it may be opened before its script is there, and is told to go away
// when the component goes or wants another. No React in here.
import type { ConnectCallbacks, ConnectSettings, ConnectWidget } from '../types.ts';
import { runCallback, reportLoadError } from '../callbacks.ts';
import { loadServiceConnect } from './loadServiceConnect.ts';

/** What a component shows of its widget. */
export type WidgetState = { ready: boolean; error: Error | undefined };

export type WidgetManager = {
  /** Opens it, or tries again where it could not be loaded. */
  open(): void;
  /** Whether a connection was made and its last screen may still be showing. */
  succeeded(): boolean;
  dispose(): void;
};

export type WidgetManagerOptions = {
  baseUrl: string;
  settings: ConnectSettings;
  /** Asked each time, because a component has other ones after each rendering. */
  callbacks: () => ConnectCallbacks;
  onChange: (standing: Partial<WidgetState>) => void;
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

  const giveUp = () => {
    if (state.openWhenLoaded) runCallback(() => callbacks().onExit?.());
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
      if (!state.disposed) state.widget = service.init({ ...settings, ...heard });
      if (state.openWhenLoaded) state.widget?.open();
      state.openWhenLoaded = false;
    } catch (error) {
      if (state.disposed) return;
      giveUp();
      fail(error as Error);
    } finally {
      state.loading = false;
    }
  };
  const heard: Required<ConnectCallbacks> = {
    onInit: () => {
      onChange({ ready: true });
      callbacks().onInit?.();
    },
    onSuccess: (result) => {
      state.succeeded = true;
      callbacks().onSuccess?.(result);
    },
    onExit: () => callbacks().onExit?.(),
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
      giveUp();
      state.widget?.destroy();
    },
  };
};
