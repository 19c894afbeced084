// The service's script in this page: loaded once for each address, however many components ask, and again only
// after it failed. A script that the page has placed itself is recognised, so that a page with a strict content
// policy can write the tag, with its nonce, on its own.
import type { ServiceConnect } from '../embedding.ts';

/** What the script leaves on its own element; see widget/loader/connect.ts. */
type ConnectScript = HTMLScriptElement & { serviceConnect?: ServiceConnect };

const loadTimeoutMs = 30_000;

const loads = new Map<string, Promise<ServiceConnect>>();
/** Scripts of the page that did not load; they stay where they are, and are not waited for again. */
const failed = new WeakSet<ConnectScript>();

/** `ServiceConnect` of the service at this address. Rejects where its script cannot be had; the next call retries. */
export const loadServiceConnect = (baseUrl: string): Promise<ServiceConnect> => {
  const known = loads.get(baseUrl);
  if (known) return known;
  const loading = load(baseUrl).catch((error) => {
    loads.delete(baseUrl);
    throw error;
  });
  loads.set(baseUrl, loading);
  return loading;
};

const scriptOf = (baseUrl: string): string => {
  const base = URL.canParse(baseUrl, location.href) ? new URL(baseUrl, location.href) : undefined;
  if (!base || !/^https?:$/.test(base.protocol) || typeof baseUrl !== 'string')
    throw new TypeError(
      `ServiceConnect: "baseUrl" must be the address of the service; got ${JSON.stringify(baseUrl)}.`,
    );
  return new URL('connect.js', base.href.replace(/\/?$/, '/')).href;
};

const load = async (baseUrl: string): Promise<ServiceConnect> => {
  const src = scriptOf(baseUrl);
  const placed = [...document.querySelectorAll<ConnectScript>('script[src]')].filter(
    (script) => script.src === src,
  );
  const made = placed.find((script) => script.serviceConnect)?.serviceConnect;
  return made ?? executed(placed.find(isUnderWay) ?? append(src));
};

/** A script that the page placed and that may still run. One that has failed already says nothing any more. */
const isUnderWay = (script: ConnectScript): boolean => {
  const ended = document.readyState === 'complete' && performance.getEntriesByName(script.src).length > 0;
  return !ended && !failed.has(script);
};

const ours = new WeakSet<ConnectScript>();

const append = (src: string): ConnectScript => {
  const script: ConnectScript = document.createElement('script');
  script.src = src;
  script.async = true;
  ours.add(script);
  document.head.append(script);
  return script;
};

const executed = (script: ConnectScript): Promise<ServiceConnect> =>
  new Promise((resolve, reject) => {
    const fail = () => {
      clearTimeout(patience);
      failed.add(script);
      if (ours.has(script)) script.remove();
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
