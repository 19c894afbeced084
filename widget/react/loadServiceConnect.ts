// The service's script in this page: loaded once for each address, however many components ask, and again only
// after it failed. A script that the page has placed itself is recognised, so that a page with a strict content
// policy can write the tag, with its nonce, on its own.
import type { ServiceConnect } from '../types.ts';

/** What the script leaves on its own element; see widget/loader/connect.ts. */
type ConnectScript = HTMLScriptElement & { serviceConnect?: ServiceConnect };

const loadTimeoutMs = 30_000;

const pendingLoads = new Map<string, Promise<ServiceConnect>>();
/** Scripts of the page that did not load; they stay where they are, and are not waited for again. */
const failedScripts = new WeakSet<ConnectScript>();

/** `ServiceConnect` of the service at this address. Rejects where its script cannot be had; the next call retries. */
export const loadServiceConnect = (baseUrl: string): Promise<ServiceConnect> => {
  const known = pendingLoads.get(baseUrl);
  if (known) return known;
  const loading = loadScript(baseUrl).catch((error) => {
    pendingLoads.delete(baseUrl);
    throw error;
  });
  pendingLoads.set(baseUrl, loading);
  return loading;
};

const scriptUrl = (baseUrl: string): string => {
  const base = URL.canParse(baseUrl, location.href) ? new URL(baseUrl, location.href) : undefined;
  if (!base || !/^https?:$/.test(base.protocol) || typeof baseUrl !== 'string')
    throw new TypeError(
      `ServiceConnect: "baseUrl" must be the address of the service; got ${JSON.stringify(baseUrl)}.`,
    );
  return new URL('connect.js', base.href.replace(/\/?$/, '/')).href;
};

const loadScript = async (baseUrl: string): Promise<ServiceConnect> => {
  const src = scriptUrl(baseUrl);
  const placed = [...document.querySelectorAll<ConnectScript>('script[src]')].filter(
    (script) => script.src === src,
  );
  const made = placed.find((script) => script.serviceConnect)?.serviceConnect;
  return made ?? waitForScript(placed.find(mayStillLoad) ?? appendScript(src));
};

/** A script that the page placed and that may still run. One that has failed already says nothing any more. */
const mayStillLoad = (script: ConnectScript): boolean => {
  const ended = document.readyState === 'complete' && performance.getEntriesByName(script.src).length > 0;
  return !ended && !failedScripts.has(script);
};

const appendedScripts = new WeakSet<ConnectScript>();

const appendScript = (src: string): ConnectScript => {
  const script: ConnectScript = document.createElement('script');
  script.src = src;
  script.async = true;
  appendedScripts.add(script);
  document.head.append(script);
  return script;
};

const waitForScript = (script: ConnectScript): Promise<ServiceConnect> =>
  new Promise((resolve, reject) => {
    const fail = () => {
      clearTimeout(patience);
      failedScripts.add(script);
      if (appendedScripts.has(script)) script.remove();
      reject(new Error(`ServiceConnect: ${script.src} could not be loaded.`));
    };
    const patience = setTimeout(fail, loadTimeoutMs);
    script.addEventListener('error', fail);
    script.addEventListener('load', () => {
      if (!script.serviceConnect) return fail();
      clearTimeout(patience);
      resolve(script.serviceConnect);
    });
  });
