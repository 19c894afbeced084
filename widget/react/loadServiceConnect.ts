// Loads the service's /connect.js into the page, once for each address; again only after a failure. A script tag of
// the page itself is used if there is one, because a page with a strict content security policy needs its own nonce.
import type { ServiceConnect } from '../types.ts';

/** The script sets this property on its own element; see widget/loader/connect.ts. */
type ConnectScript = HTMLScriptElement & { serviceConnect?: ServiceConnect };

const loadTimeoutMs = 30_000;

const pendingLoads = new Map<string, Promise<ServiceConnect>>();
/** Script tags of the page that failed to load. They stay in the page and are not used again. */
const failedScripts = new WeakSet<ConnectScript>();

/**
 * The `ServiceConnect` object of the service at `baseUrl`. Rejects if its script cannot be loaded; the next call
 * retries.
 */
export const loadServiceConnect = (baseUrl: string): Promise<ServiceConnect> => {
  const pending = pendingLoads.get(baseUrl);
  if (pending) return pending;
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
  const tags = [...document.querySelectorAll<ConnectScript>('script[src]')].filter(
    (script) => script.src === src,
  );
  const loaded = tags.find((script) => script.serviceConnect)?.serviceConnect;
  return loaded ?? waitForScript(tags.find(mayStillLoad) ?? appendScript(src));
};

/** Whether a script tag of the page is still loading. A tag that failed earlier fires no event again. */
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
      clearTimeout(timeout);
      failedScripts.add(script);
      if (appendedScripts.has(script)) script.remove();
      reject(new Error(`ServiceConnect: ${script.src} could not be loaded.`));
    };
    const timeout = setTimeout(fail, loadTimeoutMs);
    script.addEventListener('error', fail);
    script.addEventListener('load', () => {
      if (!script.serviceConnect) return fail();
      clearTimeout(timeout);
      resolve(script.serviceConnect);
    });
  });
