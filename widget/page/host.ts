// The page's end of the conversation with its host: a web page around the frame. The first `hello` of the parent
// window fixes the host's origin for as long as the page lives; everything else is ignored, and nothing is said
// before. An origin that browsers do not name ("null") is never spoken to.
import { type HostLink, type HostMessage, post, receive } from '../messages.ts';
import { type HostEvents, heed } from './hostEvents.ts';

/** Listens to the parent window. */
export const linkToFrameHost = (parent: Window, on: HostEvents): HostLink => {
  let origin: string | undefined;
  addEventListener('message', (event) => {
    const message = receive<HostMessage>(event, { source: parent, origin: origin ?? event.origin });
    if (!message || event.origin === 'null') return;
    if (message.kind === 'hello') origin = event.origin;
    if (origin) heed(message, on);
  });
  return {
    origin: () => origin ?? '',
    send: (message) => {
      if (origin) post(parent, origin, message);
    },
  };
};
