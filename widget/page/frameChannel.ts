// The page's end of the conversation with its host: a web page around the frame. The first `hello` of the parent
// window fixes the host's origin for as long as the page lives; everything else is ignored, and nothing is said
// before. An origin that browsers do not name ("null") is never spoken to.
import { type HostChannel, type HostMessage, postToWindow, parseMessage } from '../protocol.ts';
import { type HostMessageHandlers, dispatchHostMessage } from './hostMessages.ts';

/** Listens to the parent window. */
export const openFrameChannel = (parent: Window, on: HostMessageHandlers): HostChannel => {
  let origin: string | undefined;
  addEventListener('message', (event) => {
    const message = parseMessage<HostMessage>(event, { source: parent, origin: origin ?? event.origin });
    if (!message || event.origin === 'null') return;
    if (message.kind === 'hello') origin = event.origin;
    if (origin) dispatchHostMessage(message, on);
  });
  return {
    origin: () => origin ?? '',
    send: (message) => {
      if (origin) postToWindow(parent, origin, message);
    },
  };
};
