// Starts the page: finds its host, and leads one conversation for each time that the host opens it.
import { render } from 'preact';
import type { HostLink, HostMessage } from '../messages.ts';
import { App } from './App.tsx';
import { Conversation, type Model } from './conversation.ts';
import { linkToFrameHost } from './host.ts';
import type { HostEvents } from './hostEvents.ts';
import { linkToNativeHost } from './nativeHost.ts';
import { goesBack } from './screen.ts';
import { Outside } from './screens/Outside.tsx';
import { makeService } from './service.ts';
import { chooseLanguage, t } from './texts/texts.ts';
import { applyTheme } from './theme.ts';

const root = document.getElementById('page')!;
const applicationId = new URLSearchParams(location.search).get('application') ?? '';
const service = makeService(new URL('connect/api/', location.href).href);

type Opening = { run: number; conversation: Conversation; model: Model };
const first: Model = { shown: { kind: 'starting' }, working: false, lost: false };
let opening: Opening | undefined;

const draw = ({ run, conversation, model }: Opening) =>
  render(<App key={run} model={model} conversation={conversation} onClose={leave} />, root);

/** Ends the present opening. The host has closed it, or is told so by whoever calls. */
const end = () => {
  opening?.conversation.end();
  opening = undefined;
  render(null, root);
};
const leave = () => {
  const run = opening?.run;
  end();
  if (run !== undefined) host?.send({ kind: 'exit', run });
};
const open = ({ kind: _, run, ...wanted }: HostMessage & { kind: 'open' }) => {
  end();
  const { lang: language } = document.documentElement;
  const request = { applicationId, origin: host?.origin() ?? '', language, ...wanted };
  const conversation = new Conversation(service, request, {
    // What a conversation that is over still has to say concerns nobody.
    change: (model) => {
      if (opening?.run !== run) return;
      opening.model = model;
      draw(opening);
    },
    result: (result) => {
      if (opening?.run === run) host?.send({ kind: 'success', run, result });
    },
  });
  opening = { run, conversation, model: first };
  draw(opening);
};
/** Where the screen has a way back that can be taken now, that; where it has none, the way out. */
const goBack = ({ conversation, model: { shown, working } }: Opening) => {
  if (!goesBack(shown.kind === 'view' ? shown.view : undefined)) leave();
  else if (!working) conversation.take({ kind: 'back' });
};

const events: HostEvents = {
  hello: async ({ language, theme }) => {
    host?.send({ kind: 'here' });
    applyTheme(theme ?? undefined);
    await chooseLanguage(language ? [language, ...navigator.languages] : navigator.languages);
    host?.send({ kind: 'ready', title: t.title });
  },
  open,
  received: ({ run }) => {
    if (opening?.run === run) opening.conversation.received();
  },
  close: ({ run }) => {
    if (opening?.run === run) end();
  },
  back: ({ run }) => {
    if (opening?.run === run) goBack(opening);
  },
};

const findHost = (): HostLink | undefined => {
  if (window.parent !== window) return linkToFrameHost(window.parent, events);
  return window.ReactNativeWebView && linkToNativeHost(window.ReactNativeWebView, events);
};
const host = findHost();

if (!host) {
  void chooseLanguage(navigator.languages).then(() => render(<Outside />, root));
} else {
  addEventListener('pagehide', end);
  addEventListener('keydown', (event) => {
    // In a search box with text in it, Escape clears the text; a composed character is the input method's.
    const clears =
      event.target instanceof HTMLInputElement && event.target.type === 'search' && event.target.value;
    if (event.key === 'Escape' && !event.isComposing && !clears) leave();
  });
}
