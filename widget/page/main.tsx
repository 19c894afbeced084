// Starts the page: chooses its host, and leads one conversation for each time that the host opens it.
import { render } from 'preact';
import type { HostMessage } from '../messages.ts';
import { App } from './App.tsx';
import { Conversation, type Model } from './conversation.ts';
import { linkToFrameHost } from './host.ts';
import { Outside } from './screens/Outside.tsx';
import { makeService } from './service.ts';
import { chooseLanguage, t } from './texts/texts.ts';

const root = document.getElementById('page')!;
const applicationId = new URLSearchParams(location.search).get('application') ?? '';
const service = makeService(new URL('connect/api/', location.href).href);

let opening: { run: number; conversation: Conversation } | undefined;

const draw = ({ run, conversation }: NonNullable<typeof opening>, model: Model) =>
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
  if (run !== undefined) host.send({ kind: 'exit', run });
};
const open = ({ run, externalUserId, connectionId }: HostMessage & { kind: 'open' }) => {
  end();
  const { lang: language } = document.documentElement;
  const request = { applicationId, origin: host.origin(), externalUserId, connectionId, language };
  const conversation = new Conversation(service, request, {
    // What a conversation that is over still has to say concerns nobody.
    change: (model) => {
      if (opening?.run === run) draw(opening, model);
    },
    result: (result) => {
      if (opening?.run === run) host.send({ kind: 'success', run, result });
    },
  });
  opening = { run, conversation };
  draw(opening, { shown: { kind: 'starting' }, working: false, lost: false });
};

const host = linkToFrameHost(window.parent, {
  hello: async ({ language }) => {
    await chooseLanguage(language ? [language, ...navigator.languages] : navigator.languages);
    host.send({ kind: 'ready', title: t.title });
  },
  open,
  received: ({ run }) => {
    if (opening?.run === run) opening.conversation.received();
  },
  close: ({ run }) => {
    if (opening?.run === run) end();
  },
});

if (window.parent === window) {
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
