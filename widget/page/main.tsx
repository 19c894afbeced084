// Starts the page: finds its host, and leads one conversation for each time that the host opens it.
import { render } from 'preact';
import type { HostChannel, HostMessage } from '../protocol.ts';
import { App } from './App.tsx';
import { SessionController, type PageState } from './sessionController.ts';
import { openFrameChannel } from './frameChannel.ts';
import type { HostMessageHandlers } from './hostMessages.ts';
import { openNativeChannel } from './nativeChannel.ts';
import { canGoBack } from './screenProps.ts';
import { NoHost } from './screens/NoHost.tsx';
import { createApiClient } from './apiClient.ts';
import { loadLanguage, t } from './texts/texts.ts';
import { applyTheme } from './theme.ts';

const root = document.getElementById('page')!;
const applicationId = new URLSearchParams(location.search).get('application') ?? '';
const apiClient = createApiClient(new URL('connect/api/', location.href).href);

type OpenPage = { openId: number; controller: SessionController; state: PageState };
const initialState: PageState = { content: { kind: 'starting' }, submitting: false, offline: false };
let openPage: OpenPage | undefined;

const renderPage = ({ openId, controller, state }: OpenPage) =>
  render(<App key={openId} state={state} controller={controller} onClose={exitWidget} />, root);

/** Ends the present opening. The host has closed it, or is told so by whoever calls. */
const closePage = () => {
  openPage?.controller.dispose();
  openPage = undefined;
  render(null, root);
};
const exitWidget = () => {
  const run = openPage?.openId;
  closePage();
  if (run !== undefined) hostChannel?.send({ kind: 'exit', run });
};
const open = ({ kind: _, run: openId, ...wanted }: HostMessage & { kind: 'open' }) => {
  closePage();
  const { lang: language } = document.documentElement;
  const request = { applicationId, origin: hostChannel?.origin() ?? '', language, ...wanted };
  const controller = new SessionController(apiClient, request, {
    // What a conversation that is over still has to say concerns nobody.
    change: (model) => {
      if (openPage?.openId !== openId) return;
      openPage.state = model;
      renderPage(openPage);
    },
    result: (result) => {
      if (openPage?.openId === openId) hostChannel?.send({ kind: 'success', run: openId, result });
    },
  });
  openPage = { openId, controller, state: initialState };
  renderPage(openPage);
};
/** Where the screen has a way back that can be taken now, that; where it has none, the way out. */
const goBack = ({ controller, state: { content, submitting } }: OpenPage) => {
  if (!canGoBack(content.kind === 'view' ? content.view : undefined)) exitWidget();
  else if (!submitting) controller.submitStep({ kind: 'back' });
};

const hostHandlers: HostMessageHandlers = {
  hello: async ({ language, theme }) => {
    hostChannel?.send({ kind: 'here' });
    applyTheme(theme ?? undefined);
    await loadLanguage(language ? [language, ...navigator.languages] : navigator.languages);
    hostChannel?.send({ kind: 'ready', title: t.title });
  },
  open,
  received: ({ run }) => {
    if (openPage?.openId === run) openPage.controller.acknowledgeResult();
  },
  close: ({ run }) => {
    if (openPage?.openId === run) closePage();
  },
  back: ({ run }) => {
    if (openPage?.openId === run) goBack(openPage);
  },
};

const openHostChannel = (): HostChannel | undefined => {
  if (window.parent !== window) return openFrameChannel(window.parent, hostHandlers);
  return window.ReactNativeWebView && openNativeChannel(window.ReactNativeWebView, hostHandlers);
};
const hostChannel = openHostChannel();

if (!hostChannel) {
  void loadLanguage(navigator.languages).then(() => render(<NoHost />, root));
} else {
  addEventListener('pagehide', closePage);
  addEventListener('keydown', (event) => {
    // In a search box with text in it, Escape clears the text; a composed character is the input method's.
    const clears =
      event.target instanceof HTMLInputElement && event.target.type === 'search' && event.target.value;
    if (event.key === 'Escape' && !event.isComposing && !clears) exitWidget();
  });
}
