// The end user's input: a setup token, which is base64 of the URL that returns an access URL once, or the access URL, which
// contains the credentials at the server (SimpleFIN protocol, "Claim the Access URL" and "GET /accounts").
import { isLoopbackHost, parseUrl } from '@bank-connection/connector-kit';

const urlLengthMax = 2000;

/** An access URL in the parts for a request. */
export type ParsedAccessUrl = { accountsUrl: URL; authorization: string };

/** True if a text is meant as an access URL, and not as a setup token. */
export const isUrl = (text: string): boolean => /^https?:\/\//i.test(text);

/** The parts of an access URL; undefined if it is invalid. Other code checks that its address may be connected to. */
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

/** The URL of a setup token, at which it is exchanged for the access URL; undefined for an invalid one. */
export const parseSetupToken = (text: string): URL | undefined => {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text)) return undefined;
  const url = parseServerUrl(Buffer.from(text, 'base64').toString().trim());
  return url?.username || url?.password ? undefined : url;
};

/** https, or http to this machine: otherwise a network would carry the credentials unencrypted. */
const parseServerUrl = (text: string): URL | undefined => {
  const url = text.length > urlLengthMax ? undefined : parseUrl(text);
  if (!url) return undefined;
  const isSecure = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url));
  return isSecure && url.hash === '' ? url : undefined;
};

/** Undefined for an invalid percent-encoding. */
const decodeCredentials = ({ username, password }: URL): string | undefined => {
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch (error) {
    if (error instanceof URIError) return undefined;
    throw error;
  }
};
