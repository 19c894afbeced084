// The script that a host page loads. It finds the service by its own address, so that a page needs no setting.

import type { ServiceConnect } from '../types.ts';
import { makeInit } from './createWidget.ts';

declare global {
  interface Window {
    ServiceConnect?: ServiceConnect;
  }
  interface HTMLScriptElement {
    /** What this very script made, for a page that uses two services: the global is the first one's. */
    serviceConnect?: ServiceConnect;
  }
}

const script = document.currentScript as HTMLScriptElement;
script.serviceConnect = { init: makeInit(new URL('.', script.src).href) };
window.ServiceConnect ??= script.serviceConnect;
