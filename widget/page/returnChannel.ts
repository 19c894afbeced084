// The way to a bank's own page and back. In a web page it is another window, which ends at the page for returning users, on the
// same origin: both accept messages only from their own origin, and send to no other. In a native application, the application
// opens it, and passes on the code from its return address.
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

export type ReturnChannel = {
  /**
   * Opens a bank's own page. Returns its window; null if the browser hides that from this page, or has blocked it; `native` if the
   * application opens it.
   */
  openBank(url: string): Window | null | 'native';
  /** Calls `onReturn` with the code of a user who has returned. Returns a function that ends it. */
  listenForReturn(onReturn: (code: string) => void): () => void;
};

export const windowReturnChannel: ReturnChannel = {
  // Not `noopener`: the page for returning users finds this page by its opener.
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
    // If no screen waits for it, the code belongs to another sign-in.
    receive: (code) => receive?.(code),
  };
};

const acknowledgementMs = 1500;

/** Sends the code to the window that has opened this one. False if no page of ours accepts it. */
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
