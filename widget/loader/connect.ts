// The script that a host page loads. It finds the service by its own address, so that a page needs no setting.

import type { ConnectOptions } from './options.ts';
import { type ConnectWidget, makeInit } from './serviceConnect.ts';

declare global {
  interface Window {
    ServiceConnect?: { init: (options: ConnectOptions) => ConnectWidget };
  }
}

const { src } = document.currentScript as HTMLScriptElement;
window.ServiceConnect ??= { init: makeInit(new URL('.', src).href) };
