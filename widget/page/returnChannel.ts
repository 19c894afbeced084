// Opens a bank's own page and receives the user's return. On the web, the bank's page is another window and ends at the return
// page, which has this page's origin: both accept messages only from their own origin, and send to no other. A native application
// opens the bank's page itself and passes on the code from its return URL.
import { protocolVersion } from '../protocol.ts';

type ReturnMessage = { kind: 'returned'; code: string } | { kind: 'returnReceived' };

const post = (to: Window, message: ReturnMessage): void =>
  to.postMessage({ serviceConnect: protocolVersion, ...message }, location.origin);

/** Calls `onMessage` for each message from a page of this origin. Returns a function that stops listening. */
const listen = (onMessage: (message: ReturnMessage, from: Window) => void): (() => void) => {
  const handle = ({ data, origin, source }: MessageEvent) => {
    if (origin === location.origin && data?.serviceConnect === protocolVersion && source)
      onMessage(data, source as Window);
  };
  addEventListener('message', handle);
  return () => removeEventListener('message', handle);
};

export type ReturnChannel = {
  /**
   * Opens a bank's own page. Returns its window; null if the browser hides it from this page or blocked it; `native` if the
   * application opens it.
   */
  openBank(url: string): Window | null | 'native';
  /** Calls `onReturn` with the code when the user has returned. Returns a function that stops listening. */
  listenForReturn(onReturn: (code: string) => void): () => void;
};

export const windowReturnChannel: ReturnChannel = {
  // Not `noopener`: the return page finds this page through its opener.
  openBank: (url) => window.open(url, '_blank'),
  listenForReturn: (onReturn) =>
    listen((message, from) => {
      if (message.kind !== 'returned' || typeof message.code !== 'string') return;
      post(from, { kind: 'returnReceived' });
      onReturn(message.code);
    }),
};

/** `requestOpening` asks the application to open a bank's page; `receive` gets the code from the application. */
export const makeNativeReturnChannel = (
  requestOpening: (url: string) => void,
): ReturnChannel & { receive(code: string): void } => {
  let receive: ((code: string) => void) | undefined;
  return {
    openBank: (url) => {
      requestOpening(url);
      return 'native';
    },
    listenForReturn: (onReturn) => {
      receive = onReturn;
      return () => {
        receive = undefined;
      };
    },
    // If no screen is waiting for it, the code is from another sign-in.
    receive: (code) => receive?.(code),
  };
};

const acknowledgementMs = 1500;

/** Sends the code to the window that opened this one. False if no page of ours accepts it. */
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
