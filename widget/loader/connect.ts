// The entry point of /connect.js, which a host page loads. The script's own URL determines the service's.

import type { ServiceConnect } from '../types.ts';
import { makeInit } from './createWidget.ts';

declare global {
  interface Window {
    ServiceConnect?: ServiceConnect;
  }
  interface HTMLScriptElement {
    /** The API of this script, for pages that use two services: the global object belongs to the first script. */
    serviceConnect?: ServiceConnect;
  }
}

const script = document.currentScript as HTMLScriptElement;
script.serviceConnect = { init: makeInit(new URL('.', script.src).href) };
window.ServiceConnect ??= script.serviceConnect;
