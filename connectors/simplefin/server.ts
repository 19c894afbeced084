// The two requests to a SimpleFIN server, and the interpretation of its status codes. Errors contain no part of a response.
import {
  BankRefused,
  BankUnreachable,
  type CallContext,
  findRateLimit,
  type GuardedRequest,
  type GuardedResponse,
  type Host,
  type RequestError,
  withoutResponse,
} from '@bank-connection/connector-kit';
import type { ParsedAccessUrl } from './accessUrl.ts';

export type SimplefinDeps = Pick<Host, 'isAllowed' | 'send' | 'answerBytesMax' | 'timeoutMs'>;

export type ServerResponse = GuardedResponse | { error: RequestError };

/** The parameters of `GET /accounts`. A parameter with several values is repeated. */
export type AccountsParameters = Record<string, string | readonly string[]>;

/** An access URL is much shorter. */
const accessUrlBytesMax = 8192;

// The proxy in front of SimpleFIN Bridge responds with 403 to requests without a user agent.
const userAgent = { 'User-Agent': 'Bank-Connection/1' };

/** Exchanges a setup token for its access URL, which is the body (SimpleFIN protocol, "POST /claim/:token"). */
export const requestAccessUrl = (
  deps: SimplefinDeps,
  url: URL,
  context: CallContext,
): Promise<ServerResponse> => {
  const headers = { ...userAgent, 'Content-Length': 0 };
  return sendRequest(deps, { method: 'POST', url, headers, bodyBytesMax: accessUrlBytesMax }, context);
};

/** Requests accounts (SimpleFIN protocol, "GET /accounts"). */
export const requestAccounts = (
  deps: SimplefinDeps,
  { accountsUrl, authorization }: ParsedAccessUrl,
  parameters: AccountsParameters,
  context: CallContext,
): Promise<ServerResponse> => {
  const url = new URL(accountsUrl);
  for (const [name, values] of Object.entries({ version: '2', pending: '1', ...parameters })) {
    for (const value of [values].flat()) url.searchParams.append(name, value);
  }
  const headers = { ...userAgent, Accept: 'application/json', Authorization: authorization };
  const bodyBytesMax = deps.answerBytesMax;
  return sendRequest(deps, { method: 'GET', url, headers, bodyBytesMax }, context);
};

const sendRequest = async (
  { send, timeoutMs }: SimplefinDeps,
  request: Omit<GuardedRequest, 'timeoutMs' | 'signal'>,
  { signal, now }: CallContext,
): Promise<ServerResponse> => {
  try {
    const response = await send({ ...request, timeoutMs, signal });
    const limit = 'status' in response && findRateLimit(response, { scope: 'connection', now });
    if (limit) throw limit;
    if (isOfProxy(response)) throw new BankUnreachable('down');
    return response;
  } catch (error) {
    throw signal.aborted ? new BankUnreachable('timeout') : error;
  }
};

/** Proxies refuse with an HTML page, servers with the text `Forbidden`, of any content type. */
const isOfProxy = (response: ServerResponse): boolean =>
  'status' in response &&
  response.status === 403 &&
  /^text\/html/i.test(response.headers['content-type'] ?? '') &&
  !response.body?.toString().startsWith('Forbidden');

/**
 * Throws BankRefused('wrong_credentials') if the response shows that the end user's input was wrong: it leads to a forbidden
 * address, to another page, or nowhere.
 */
export const refuseWrongInput = (response: ServerResponse): void => {
  const isWrong =
    'error' in response
      ? response.error === 'forbidden_address'
      : response.status >= 300 && response.status < 500 && response.status !== 402;
  if (isWrong) throw new BankRefused('wrong_credentials');
};

/**
 * The body of a successful response. Throws BankRefused if access was revoked or the server requires payment, and BankUnreachable
 * for other failures.
 */
export const readBody = (response: ServerResponse): Buffer => {
  if ('error' in response) throw withoutResponse(response.error);
  const { status, body } = response;
  if (status === 401 || status === 403) throw new BankRefused('wrong_credentials');
  if (status === 402) throw new BankRefused('user_action_required', { repairedElsewhere: true });
  if (status >= 500) throw new BankUnreachable('down');
  if (status !== 200 || body === undefined) throw new BankUnreachable('incomplete');
  return body;
};
