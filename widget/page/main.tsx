// The entry point of the widget's page: opens the channel to the host and runs one link session for each `open`.
/// <reference types="vite/types/importMeta.d.ts" />
import { render } from 'preact';
import type { ExitArguments, HostMessage } from '../protocol.ts';
import type { ConnectTheme } from '../types.ts';
import { App } from './App.tsx';
import { createApiClient, sleep } from './apiClient.ts';
import { type HostMessageHandlers, nativeOrigin, openHostChannel } from './hostChannel.ts';
import { leaveQuestion } from './leaving.ts';
import { initialModel, isSubmitting, type Model, viewOf } from './model.ts';
import { startPreview } from './preview.tsx';
import { makeNativeReturnChannel, windowReturnChannel } from './returnChannel.ts';
import { NoHost } from './screens/NoHost.tsx';
import { Returned } from './screens/Returned.tsx';
import { canGoBack } from './screens/screenProps.ts';
import { loadLanguage, t } from './texts/texts.ts';
import { applyTheme } from './theme.ts';
import { Transport } from './transport.ts';

const root = document.getElementById('page')!;
const applicationId = new URLSearchParams(location.search).get('application') ?? '';
/** True if this is the page to which banks return users, rather than the widget. */
const isReturn = location.pathname.endsWith('/connect/return');
const apiClient = createApiClient(new URL(isReturn ? 'api/' : 'connect/api/', location.href).href);

type OpenPage = {
  openId: number;
  transport: Transport;
  model: Model;
  /** The host knows that the first screen is visible. */
  shown?: true;
};
let openPage: OpenPage | undefined;
let hostTheme: ConnectTheme | undefined;
let hostTakesEvents = false;

const nativeReturnChannel = makeNativeReturnChannel((url) => {
  if (openPage) hostChannel?.send({ kind: 'redirect', openId: openPage.openId, url });
});

let CurrentApp = App;
const renderPage = ({ openId, transport, model }: OpenPage) => {
  const isNative = hostChannel?.origin() === nativeOrigin;
  const returnChannel = isNative ? nativeReturnChannel : windowReturnChannel;
  const app = { model, transport, returnChannel, onClose: leaveWidget, onLeave: exitWidget };
  const view = viewOf(model);
  if (view) applyTheme(hostTheme, view.application.color);
  render(<CurrentApp key={openId} {...app} />, root);
};

// In development (`npm run dev`), changed screens are rendered at once, and the session continues.
import.meta.hot?.accept('./App.tsx', (changed) => {
  CurrentApp = changed?.App ?? CurrentApp;
  if (openPage) renderPage(openPage);
});

/** Closes the page without notifying the host. */
const closePage = () => {
  openPage?.transport.dispose();
  openPage = undefined;
  render(null, root);
};
/** Called when the document unloads. If the user would lose progress, the session is kept for a reload. */
const unloadPage = () => {
  if (openPage) {
    const { transport, model } = openPage;
    // A page that is still loading may be about to continue a session.
    const waits = model.content.kind === 'loading' || viewOf(model)?.state === 'finished';
    if (waits || leaveQuestion(model, false)) transport.suspend();
  }
  closePage();
};
/** Closes the page and notifies the host. */
const exitWidget = () => {
  const openId = openPage?.openId;
  closePage();
  if (openId !== undefined) hostChannel?.send({ kind: 'exit', openId });
};
const hasTyped = (): boolean =>
  [...root.querySelectorAll('input')].some(
    ({ type, value, defaultValue }) => type !== 'checkbox' && type !== 'radio' && value !== defaultValue,
  );
/** Exits, but asks first if something would be lost. The user stays until they answer. */
const leaveWidget = () => {
  if (!openPage) return;
  const { transport, model } = openPage;
  const text = model.leaveQuestion ? undefined : leaveQuestion(model, hasTyped());
  if (model.leaveQuestion || text) transport.dispatch({ kind: 'leave_question', text });
  else exitWidget();
};
/** The host shows its skeleton until then. */
const reportShown = (page: OpenPage) => {
  if (page.shown || (page.model.content.kind === 'loading' && !page.model.offline)) return;
  page.shown = true;
  hostChannel?.send({ kind: 'shown', openId: page.openId });
};
const open = ({ kind: _, openId, reloaded, ...params }: HostMessage & { kind: 'open' }) => {
  closePage();
  const { lang: language } = document.documentElement;
  // Anonymous users cannot be recognized on a different page.
  const resumes = reloaded || params.externalUserId !== undefined || params.connectionId !== undefined;
  const options = { applicationId, origin: hostChannel?.origin() ?? '', language, resumes, ...params };
  const transport = new Transport(apiClient, options, {
    // Changes of an earlier session are ignored.
    change: (model) => {
      if (openPage?.openId !== openId) return;
      openPage.model = model;
      renderPage(openPage);
      reportShown(openPage);
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
  openPage = { openId, transport, model: initialModel };
  renderPage(openPage);
};
/** The device's back button shows the previous screen, or exits if there is none. */
const goBack = ({ transport, model }: OpenPage) => {
  if (model.leaveQuestion || !canGoBack(viewOf(model))) leaveWidget();
  else if (!isSubmitting(model)) transport.dispatch({ kind: 'back' });
};

const fontTimeoutMs = 500;
/**
 * Waits briefly for the typeface; the fallback has the same widths. The document does not load it, because the host waits for the
 * document.
 */
const loadFont = (): Promise<unknown> =>
  Promise.race([document.fonts.load('1em "Figtree Variable"'), sleep(fontTimeoutMs)]);

/** In a native application, the card fills the web view, and other pages open in the device's browser. */
const adaptToNative = () => {
  document.documentElement.dataset.host = 'native';
  addEventListener('click', (event) => {
    const link = event.target instanceof Element && event.target.closest<HTMLAnchorElement>('a[target]');
    if (!link) return;
    event.preventDefault();
    nativeReturnChannel.openBank(link.href);
  });
};

const hostHandlers: HostMessageHandlers = {
  handshake: async ({ language, theme, events = false }) => {
    hostTakesEvents = events;
    hostChannel?.send({ kind: 'ack' });
    hostTheme = theme ?? undefined;
    applyTheme(hostTheme);
    await Promise.all([
      loadLanguage(language ? [language, ...navigator.languages] : navigator.languages),
      loadFont(),
    ]);
    hostChannel?.send({ kind: 'ready', title: t.title });
  },
  open,
  resultReceived: ({ openId }) => {
    if (openPage?.openId === openId) openPage.transport.acknowledgeResult();
  },
  close: ({ openId }) => {
    if (openPage?.openId === openId) closePage();
  },
  returned: ({ openId, code }) => {
    if (openPage?.openId === openId) nativeReturnChannel.receive(code);
  },
  leave: ({ openId }) => {
    if (openPage?.openId === openId) leaveWidget();
  },
  back: ({ openId }) => {
    if (openPage?.openId === openId) goBack(openPage);
  },
};
const hostChannel = openHostChannel(hostHandlers);

/** First removes the query from the URL: it is valid once, and must not stay in the history. */
const renderReturn = async () => {
  const query = location.search.slice(1);
  history.replaceState(null, '', location.pathname);
  await loadLanguage(navigator.languages);
  render(<Returned api={apiClient} query={query} />, root);
};

if (isReturn) {
  void renderReturn();
} else if (location.pathname.endsWith('/connect/preview')) {
  startPreview(root);
} else if (!hostChannel) {
  void loadLanguage(navigator.languages).then(() => render(<NoHost />, root));
} else {
  addEventListener('pagehide', unloadPage);
  if (hostChannel.origin() === nativeOrigin) adaptToNative();
  addEventListener('keydown', (event) => {
    // A screen may use Escape itself: the search clears its text. During composition, Escape belongs to the input method.
    if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented) return;
    // The same key press would close the question.
    event.preventDefault();
    leaveWidget();
  });
}
