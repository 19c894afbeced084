// The entry point of /connect.js, which a host page loads. The script's own address is the address of the service.

import type { ServiceConnect } from '../types.ts';
import { makeInit } from './createWidget.ts';

declare global {
  interface Window {
    ServiceConnect?: ServiceConnect;
  }
  interface HTMLScriptElement {
    /**
     * The object of this script. A page that uses two services needs it: the global one belongs to the first script.
     */
    serviceConnect?: ServiceConnect;
  }
}

const script = document.currentScript as HTMLScriptElement;
script.serviceConnect = { init: makeInit(new URL('.', script.src).href) };
window.ServiceConnect ??= script.serviceConnect;
