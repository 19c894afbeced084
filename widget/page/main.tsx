// The entry point of the widget's page: opens the channel to the host and runs one session controller for each `open`.
/// <reference types="vite/types/importMeta.d.ts" />
import { render } from 'preact';
import type { ExitArguments, HostMessage } from '../protocol.ts';
import { App } from './App.tsx';
import { createApiClient } from './apiClient.ts';
import { canGoBack } from './components.tsx';
import { type HostMessageHandlers, nativeOrigin, openHostChannel } from './hostChannel.ts';
import { makeNativeReturnChannel, windowReturnChannel } from './returnChannel.ts';
import { NoHost } from './screens/NoHost.tsx';
import { Returned } from './screens/Returned.tsx';
import { initialState, type PageState, SessionController } from './sessionController.ts';
import { loadLanguage, t } from './texts/texts.ts';
import { applyTheme } from './theme.ts';

const root = document.getElementById('page')!;
const applicationId = new URLSearchParams(location.search).get('application') ?? '';
/** Whether this page is the one to which banks return users, instead of the widget. */
const isReturn = location.pathname.endsWith('/connect/return');
const apiClient = createApiClient(new URL(isReturn ? 'api/' : 'connect/api/', location.href).href);

type OpenPage = { openId: number; controller: SessionController; state: PageState };
let openPage: OpenPage | undefined;
let hostTakesEvents = false;

const nativeReturnChannel = makeNativeReturnChannel((url) => {
  if (openPage) hostChannel?.send({ kind: 'redirect', openId: openPage.openId, url });
});

let CurrentApp = App;
const renderPage = ({ openId, controller, state }: OpenPage) => {
  const isNative = hostChannel?.origin() === nativeOrigin;
  const returnChannel = isNative ? nativeReturnChannel : windowReturnChannel;
  const app = { state, controller, returnChannel, onClose: exitWidget };
  render(<CurrentApp key={openId} {...app} />, root);
};

// In development (`npm run dev`), a changed screen is rendered at once, and the session goes on.
import.meta.hot?.accept('./App.tsx', (changed) => {
  CurrentApp = changed?.App ?? CurrentApp;
  if (openPage) renderPage(openPage);
});

/** Closes the page without a message to the host. */
const closePage = () => {
  openPage?.controller.dispose();
  openPage = undefined;
  render(null, root);
};
/** Closes the page and tells the host. */
const exitWidget = () => {
  const openId = openPage?.openId;
  closePage();
  if (openId !== undefined) hostChannel?.send({ kind: 'exit', openId });
};
const open = ({ kind: _, openId, ...params }: HostMessage & { kind: 'open' }) => {
  closePage();
  const { lang: language } = document.documentElement;
  const options = { applicationId, origin: hostChannel?.origin() ?? '', language, ...params };
  const controller = new SessionController(apiClient, options, {
    // Changes of an earlier controller are ignored.
    change: (state) => {
      if (openPage?.openId !== openId) return;
      openPage.state = state;
      renderPage(openPage);
    },
    event: (name, metadata) => {
      if (openPage?.openId !== openId || !hostTakesEvents) return;
      const { reason } = metadata;
      const exit: ExitArguments = [reason === undefined ? null : { reason }, metadata];
      hostChannel?.send({ kind: 'event', openId, name, exit });
    },
    result: (result) => {
      if (openPage?.openId === openId) hostChannel?.send({ kind: 'success', openId, result });
    },
  });
  openPage = { openId, controller, state: initialState };
  renderPage(openPage);
};
/** The device's back button: the previous screen, or exit if the screen has none. */
const goBack = ({ controller, state: { content, submitting } }: OpenPage) => {
  if (!canGoBack(content.kind === 'view' ? content.view : undefined)) exitWidget();
  else if (!submitting) controller.goBack();
};

const hostHandlers: HostMessageHandlers = {
  handshake: async ({ language, theme, events = false }) => {
    hostTakesEvents = events;
    hostChannel?.send({ kind: 'ack' });
    applyTheme(theme ?? undefined);
    await loadLanguage(language ? [language, ...navigator.languages] : navigator.languages);
    hostChannel?.send({ kind: 'ready', title: t.title });
  },
  open,
  resultReceived: ({ openId }) => {
    if (openPage?.openId === openId) openPage.controller.acknowledgeResult();
  },
  close: ({ openId }) => {
    if (openPage?.openId === openId) closePage();
  },
  returned: ({ openId, code }) => {
    if (openPage?.openId === openId) nativeReturnChannel.receive(code);
  },
  back: ({ openId }) => {
    if (openPage?.openId === openId) goBack(openPage);
  },
};
const hostChannel = openHostChannel(hostHandlers);

/** Takes the query out of the address first: it is valid once, and must not stay in the history. */
const renderReturn = async () => {
  const query = location.search.slice(1);
  history.replaceState(null, '', location.pathname);
  await loadLanguage(navigator.languages);
  render(<Returned api={apiClient} query={query} />, root);
};

if (isReturn) {
  void renderReturn();
} else if (!hostChannel) {
  void loadLanguage(navigator.languages).then(() => render(<NoHost />, root));
} else {
  addEventListener('pagehide', closePage);
  addEventListener('keydown', (event) => {
    // A screen may use Escape itself: the search clears its text. During composition it belongs to the input method.
    if (event.key === 'Escape' && !event.isComposing && !event.defaultPrevented) exitWidget();
  });
}
