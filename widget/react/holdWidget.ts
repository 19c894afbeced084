// One widget in a page, held for a component: it may be opened before its script is there, and is told to go away
// when the component goes or wants another. No React in here.
import type { ConnectCallbacks, ConnectSettings, ConnectWidget } from '../embedding.ts';
import { call, tell } from '../report.ts';
import { loadServiceConnect } from './loadServiceConnect.ts';

/** What a component shows of its widget. */
export type Standing = { ready: boolean; error: Error | undefined };

export type HeldWidget = {
  /** Opens it, or tries again where it could not be loaded. */
  open(): void;
  /** Whether a connection was made and its last screen may still be showing. */
  succeeded(): boolean;
  end(): void;
};

export type HeldFor = {
  baseUrl: string;
  settings: ConnectSettings;
  /** Asked each time, because a component has other ones after each rendering. */
  callbacks: () => ConnectCallbacks;
  change: (standing: Partial<Standing>) => void;
};

type State = {
  widget?: ConnectWidget;
  loading: boolean;
  wanted: boolean;
  succeeded: boolean;
  ended: boolean;
};

export const holdWidget = ({ baseUrl, settings, callbacks, change }: HeldFor): HeldWidget => {
  const state: State = { loading: false, wanted: false, succeeded: false, ended: false };

  const giveUp = () => {
    if (state.wanted) call(() => callbacks().onExit?.());
    state.wanted = false;
  };
  const fail = (error: Error) => {
    change({ error });
    tell(callbacks(), error);
  };
  const load = async () => {
    state.loading = true;
    try {
      const service = await loadServiceConnect(baseUrl);
      if (!state.ended) state.widget = service.init({ ...settings, ...heard });
      if (state.wanted) state.widget?.open();
      state.wanted = false;
    } catch (error) {
      if (state.ended) return;
      giveUp();
      fail(error as Error);
    } finally {
      state.loading = false;
    }
  };
  const heard: Required<ConnectCallbacks> = {
    onInit: () => {
      change({ ready: true });
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
      if (state.ended) return;
      change({ error: undefined });
      state.succeeded = false;
      if (state.widget) return state.widget.open();
      state.wanted = true;
      if (!state.loading) void load();
    },
    succeeded: () => state.succeeded,
    end: () => {
      if (state.ended) return;
      state.ended = true;
      giveUp();
      state.widget?.destroy();
    },
  };
};
