// Parses the end user's input: a setup token, which is the base64 of a URL that returns an access URL once, or an access URL,
// which contains the credentials for the server (SimpleFIN protocol, "Claim the Access URL" and "GET /accounts").
import { isLoopbackHost, parseUrl } from '@bank-connection/connector-kit';

const urlLengthMax = 2000;

/** The parts of an access URL that a request needs. */
export type ParsedAccessUrl = { accountsUrl: URL; authorization: string };

/** True if the text is meant as an access URL rather than a setup token. */
export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** Undefined if the URL is invalid. Callers check that the service may connect to its address. */
export const parseAccessUrl = (text: string): ParsedAccessUrl | undefined => {
  const url = parseServerUrl(text);
  if (!url?.username || !url.password) return undefined;
  const credentials = decodeCredentials(url);
  if (credentials === undefined) return undefined;
  const accountsUrl = new URL(url);
  accountsUrl.username = '';
  accountsUrl.password = '';
  accountsUrl.pathname = `${url.pathname.replace(/\/+$/, '')}/accounts`;
  return { accountsUrl, authorization: `Basic ${Buffer.from(credentials).toString('base64')}` };
};

/** The URL at which a setup token is exchanged for an access URL; undefined if the token is invalid. */
export const parseSetupToken = (text: string): URL | undefined => {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const url = parseServerUrl(Buffer.from(text, 'base64').toString().trim());
  return url?.username || url?.password ? undefined : url;
};

/** https, or http to this machine: elsewhere, http would expose the credentials. */
const parseServerUrl = (text: string): URL | undefined => {
  const url = text.length > urlLengthMax ? undefined : parseUrl(text);
  if (!url) return undefined;
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url));
  return isSecure && url.hash === '' ? url : undefined;
};

/** Undefined if the percent-encoding is invalid. */
const decodeCredentials = ({ username, password }: URL): string | undefined => {
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
};
