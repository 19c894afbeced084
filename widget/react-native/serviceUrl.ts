// The service's URL, whose origin is the only one that the web view may load. Parsed with a pattern, because React Native's own
// URL class does not support origins in all versions. Requires https, except on loopback addresses for development.

export type ServiceUrl = {
  origin: string;
  /** The page's URL for an application. It contains nothing about the user. */
  pageUrl(applicationId: string): string;
  /** True if a URL has the service's origin. */
  isSameOrigin(url: unknown): boolean;
  /** True if a URL may be opened as a bank's own page: an https URL, or one of the service's own, such as the sandbox bank's. */
  isBankPage(url: unknown): url is string;
};

const urlPattern = /^(https?):\/\/([a-z0-9.-]+|\[[0-9a-f:]+\])(:\d{1,5})?(\/[\w./~-]*)?$/i;
const loopback = ['localhost', '127.0.0.1', '[::1]'];
const defaultPorts: Record<string, string> = { https: ':443', http: ':80' };

/** Throws a TypeError if `baseUrl` is not an https URL. */
export const parseServiceUrl = (baseUrl: unknown): ServiceUrl => {
  const [, scheme = '', host = '', port = '', path = '/'] =
    urlPattern.exec(String(baseUrl))?.map(lowerCaseHost) ?? [];
  if (!scheme || (scheme !== 'https' && !loopback.includes(host))) {
    throw new TypeError(
      `ServiceConnect: "baseUrl" must be the https address of the service; got ${JSON.stringify(baseUrl)}.`,
    );
  }
  const origin = `${scheme}://${host}${port === defaultPorts[scheme] ? '' : port}`;
  const isSameOrigin = (url: unknown) => typeof url === 'string' && url.startsWith(`${origin}/`);
  return {
    origin,
    pageUrl: (applicationId) =>
      `${origin}${path.replace(/\/?$/, '/')}connect?application=${encodeURIComponent(applicationId)}`,
    isSameOrigin,
    isBankPage: (url): url is string =>
      (typeof url === 'string' && /^https:\/\//i.test(url)) || isSameOrigin(url),
  };
};

/** Scheme and host are case-insensitive, and web views report them in lower case. The path is case-sensitive. */
const lowerCaseHost = (part: string | undefined, index: number): string | undefined =>
  index === 1 || index === 2 ? part?.toLowerCase() : part;
