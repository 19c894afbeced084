// Messages between this page in its frame and the page for returning users, which is the same page in another window. Both
// accept messages of their own origin only, and send to no other.
import { protocolVersion } from '../protocol.ts';

type ReturnMessage = { kind: 'returned'; code: string } | { kind: 'returnReceived' };

const post = (to: Window, message: ReturnMessage): void =>
  to.postMessage({ serviceConnect: protocolVersion, ...message }, location.origin);

/** Calls `onMessage` for each message of a page of this origin. Returns a function that ends it. */
const listen = (onMessage: (message: ReturnMessage, from: Window) => void): (() => void) => {
  const handle = ({ data, origin, source }: MessageEvent) => {
    if (origin === location.origin && data?.serviceConnect === protocolVersion && source)
      onMessage(data, source as Window);
  };
  addEventListener('message', handle);
  return () => removeEventListener('message', handle);
};

/** Calls `onReturn` with the code of a user who has returned. Returns a function that ends it. */
export const listenForReturn = (onReturn: (code: string, from: Window) => void): (() => void) =>
  listen((message, from) => {
    if (message.kind === 'returned' && typeof message.code === 'string') onReturn(message.code, from);
  });

export const acknowledgeReturn = (from: Window): void => post(from, { kind: 'returnReceived' });

const acknowledgementMs = 1500;

/** Sends the code to the window that has opened this one. False if no page of ours is there to take it. */
export const sendReturn = async (code: string): Promise<boolean> => {
  const opener: Window | null = window.opener;
  if (!opener) return false;
  return new Promise((resolve) => {
    const stop = listen(({ kind }, from) => {
      if (kind === 'returnReceived' && from === opener) finish(true);
    });
    const timer = setTimeout(() => finish(false), acknowledgementMs);
    const finish = (received: boolean) => {
      clearTimeout(timer);
      stop();
      resolve(received);
    };
    post(opener, { kind: 'returned', code });
  });
};
