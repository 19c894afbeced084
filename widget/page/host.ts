// The page's end of the conversation with its host: a web page around the frame. The first `hello` of the parent
// window fixes the host's origin for as long as the page lives; everything else is ignored, and nothing is said
// before. An origin that browsers do not name ("null") is never spoken to.
import { type HostLink, type HostMessage, post, receive } from '../messages.ts';

export type HostEvents = {
  hello: (message: HostMessage & { kind: 'hello' }) => void;
  open: (message: HostMessage & { kind: 'open' }) => void;
  received: (message: HostMessage & { kind: 'received' }) => void;
  close: (message: HostMessage & { kind: 'close' }) => void;
};

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Listens to the parent window. */
export const linkToFrameHost = (parent: Window, on: HostEvents): HostLink => {
  let origin: string | undefined;
  addEventListener('message', (event) => {
    const message = receive<HostMessage>(event, { source: parent, origin: origin ?? event.origin });
    if (!message || event.origin === 'null') return;
    if (message.kind === 'hello') {
      origin = event.origin;
      on.hello({ kind: 'hello', language: text(message.language) });
    }
    if (!origin) return;
    const run = Number((message as { run?: number }).run);
    if (message.kind === 'open')
      on.open({
        kind: 'open',
        run,
        externalUserId: text(message.externalUserId),
        connectionId: text(message.connectionId),
      });
    if (message.kind === 'received') on.received({ kind: 'received', run });
    if (message.kind === 'close') on.close({ kind: 'close', run });
  });
  return {
    origin: () => origin ?? '',
    send: (message) => {
      if (origin) post(parent, origin, message);
    },
  };
};
