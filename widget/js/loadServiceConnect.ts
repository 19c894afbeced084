// Loads the service's connect.js into the page, once per URL, and again only after a failure. If the page has its own script tag,
// that one is used: with a strict content security policy, scripts need the page's nonce.
import type { ServiceConnect } from '../types.ts';

/** The script stores its API on its own element; see widget/loader/connect.ts. */
type ConnectScript = HTMLScriptElement & { serviceConnect?: ServiceConnect };

const loadTimeoutSeconds = 30;

/** The loading of each script URL, pending or done. A failed load is removed. */
const loads = new Map<string, Promise<ServiceConnect>>();
/** Scripts on the page that failed to load. They stay on the page, but are not awaited again. */
const failedScripts = new WeakSet<ConnectScript>();

/**
 * Resolves to the `ServiceConnect` of the service at this URL, or to null on a server, where there is no page. Rejects with a
 * TypeError for an invalid URL, and with an Error if the script cannot be loaded; the next call tries again.
 */
export const loadServiceConnect = async (baseUrl: string): Promise<ServiceConnect | null> => {
  if (typeof window === 'undefined' || typeof document === 'undefined') return null;
  const url = scriptUrl(baseUrl);
  const known = loads.get(url);
  if (known) return known;
  const load = loadScript(url);
  loads.set(url, load);
  load.catch(() => loads.delete(url));
  return load;
};

const scriptUrl = (baseUrl: string): string => {
  const isUrl = typeof baseUrl === 'string' && URL.canParse(baseUrl, location.href);
  const base = isUrl ? new URL(baseUrl, location.href) : undefined;
  if (!base || !/^https?:$/.test(base.protocol))
    throw new TypeError(
      `ServiceConnect: "baseUrl" must be the address of the service; got ${JSON.stringify(baseUrl)}.`,
    );
  return new URL('connect.js', base.href.replace(/\/?$/, '/')).href;
};

const loadScript = async (url: string): Promise<ServiceConnect> => {
  const scripts = [...document.querySelectorAll<ConnectScript>('script[src]')].filter(
    ({ src }) => src === url,
  );
  const loaded = scripts.find((script) => script.serviceConnect);
  return loaded?.serviceConnect ?? waitForScript(scripts.find(mayStillLoad) ?? appendScript(url));
};

/** True if a script on the page may still run. A script that failed before this call no longer fires an event. */
const mayStillLoad = (script: ConnectScript): boolean => {
  const ended = document.readyState === 'complete' && performance.getEntriesByName(script.src).length > 0;
  return !ended && !failedScripts.has(script);
};

const appendedScripts = new WeakSet<ConnectScript>();

const appendScript = (url: string): ConnectScript => {
  const script: ConnectScript = document.createElement('script');
  script.src = url;
  script.async = true;
  appendedScripts.add(script);
  document.head.append(script);
  return script;
};

const waitForScript = (script: ConnectScript): Promise<ServiceConnect> =>
  new Promise((resolve, reject) => {
    const fail = (problem: string) => {
      clearTimeout(timeout);
      failedScripts.add(script);
      if (appendedScripts.has(script)) script.remove();
      reject(new Error(`ServiceConnect: ${script.src} ${problem}.`));
    };
    const timeout = setTimeout(
      () => fail(`did not load within ${loadTimeoutSeconds} seconds`),
      loadTimeoutSeconds * 1000,
    );
    script.addEventListener('error', () => fail('could not be loaded'));
    script.addEventListener('load', () => {
      if (!script.serviceConnect) return fail('is not the script of a Bank Connection Data Service');
      clearTimeout(timeout);
      resolve(script.serviceConnect);
    });
  });
