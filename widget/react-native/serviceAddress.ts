// The one address that the web view may load from. Read by pattern, because React Native's own URL does not know
// origins everywhere. HTTPS only; a service on the device itself, while one builds an application, is the exception.

export type ServiceAddress = {
  origin: string;
  /** The page for an application. Nothing about the user is ever in it. */
  pageUrl(applicationId: string): string;
  /** Whether an address is the service's. */
  isSameOrigin(url: unknown): boolean;
};

const addressPattern = /^(https?):\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?(\/[\w./~-]*)?$/i;
const loopback = ['localhost', '127.0.0.1', '[::1]'];
const defaultPorts: Record<string, string> = { https: ':443', http: ':80' };

/** Throws a TypeError that says what to change. */
export const parseServiceAddress = (baseUrl: unknown): ServiceAddress => {
  const [, scheme = '', host = '', port = '', path = '/'] =
    addressPattern.exec(String(baseUrl))?.map(lowerCaseHost) ?? [];
  if (!scheme || (scheme !== 'https' && !loopback.includes(host))) {
    throw new TypeError(
      `ServiceConnect: "baseUrl" must be the https address of the service; got ${JSON.stringify(baseUrl)}.`,
    );
  }
  const origin = `${scheme}://${host}${port === defaultPorts[scheme] ? '' : port}`;
  return {
    origin,
    pageUrl: (applicationId) =>
      `${origin}${path.replace(/\/?$/, '/')}connect?application=${encodeURIComponent(applicationId)}`,
    isSameOrigin: (url) => typeof url === 'string' && url.startsWith(`${origin}/`),
  };
};

/** Scheme and host have no case, and a web view says them in lower case; a path keeps its own. */
const lowerCaseHost = (part: string | undefined, at: number): string | undefined =>
  at === 1 || at === 2 ? part?.toLowerCase() : part;
