// Sends signed requests to Enable Banking, validates responses against their schemas, and converts refusals to errors.
import {
  BankUnreachable,
  type CallContext,
  type GuardedRequest,
  type Host,
  retryAfterOf,
  withoutResponse,
} from '@bank-connection/connector-kit';
import createClient, { type Client } from 'openapi-fetch';
import type { paths } from '../../generated/enableBanking.ts';
import { type Application, makeToken } from './application.ts';
import { ProviderRefusal, toBankError } from './refusals.ts';
import { readAnswer } from './schemas.ts';

export type EnableBankingDeps = Pick<Host, 'sendAnywhere' | 'answerBytesMax' | 'timeoutMs'> & {
  application: Application;
  url: URL;
  /** The pause after a page without transactions. */
  emptyPagePauseMs: number;
};

export type Provider = Client<paths>;
type Call = Pick<CallContext, 'signal' | 'now'>;

/** The provider's client for one call to the connector. It throws BankRefused and BankUnreachable, and returns only valid data. */
export const connect = (deps: EnableBankingDeps, { signal, now }: Call, psuHeaders = {}): Provider => {
  const client = createClient<paths>({
    baseUrl: deps.url.href,
    headers: { Authorization: `Bearer ${makeToken(deps.application, now)}`, ...psuHeaders },
    fetch: (request) => send(deps, request, signal),
  });
  client.use({
    onResponse: async ({ schemaPath, request, response }) => {
      const body = await readJson(response);
      const read = response.status === 200 ? readAnswer(schemaPath, request.method, body) : undefined;
      if (read) return Response.json(read);
      if (response.ok) throw new BankUnreachable('incomplete');
      const subject = schemaPath.startsWith('/accounts/') ? 'account' : 'connection';
      const until = retryAfterOf({ headers: Object.fromEntries(response.headers) }, now);
      throw toBankError(new ProviderRefusal(response.status, body), { subject, until, now });
    },
  });
  return client;
};

/** The data in a response. Failed requests have already thrown. */
export const dataOf = async <Data>(answer: Promise<{ data?: Data }>): Promise<Data> => (await answer).data!;

const send = async (deps: EnableBankingDeps, request: Request, signal: AbortSignal): Promise<Response> => {
  const body = request.body ? await request.text() : undefined;
  const guarded: GuardedRequest = {
    ...{ method: request.method as GuardedRequest['method'], url: new URL(request.url), body, signal },
    headers: { ...Object.fromEntries(request.headers), 'content-length': Buffer.byteLength(body ?? '') },
    ...{ bodyBytesMax: deps.answerBytesMax, timeoutMs: deps.timeoutMs },
  };
  const sent = await deps.sendAnywhere(guarded).catch((cause) => {
    throw signal.aborted ? new BankUnreachable('timeout', { cause }) : cause;
  });
  if ('error' in sent) throw withoutResponse(sent.error);
  if (!sent.body || sent.status < 200 || sent.status > 599) throw new BankUnreachable('incomplete');
  const retryAfter = sent.headers['retry-after'];
  const headers = { ...(retryAfter !== undefined && { 'retry-after': retryAfter }) };
  return new Response(sent.body.length > 0 ? Uint8Array.from(sent.body) : null, {
    status: sent.status,
    headers,
  });
};

/** Undefined if the text is not JSON. A SyntaxError must not become part of an error, because its message quotes the text. */
const readJson = async (response: Response): Promise<unknown> => {
  try {
    return JSON.parse(await response.text());
  } catch {
    return undefined;
  }
};
