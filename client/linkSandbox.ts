// Links a sandbox user in a consumer's tests, without a browser, through the private API of the widget's page.
import openapiFetch from 'openapi-fetch';
import type { paths } from '../generated/widget.ts';
import { requestOptions } from './requestOptions.ts';
import type { Fetch } from './retry.ts';
import { type LinkResult, type LinkSession, linkSandboxUser, type SandboxUser } from './sandboxLink.ts';
import { checkBaseUrl } from './usageError.ts';

export type LinkSandboxOptions = SandboxUser & {
  /** The URL of the service. */
  baseUrl: string;
  /** The id of a Sandbox application. */
  applicationId: string;
  /** One of the application's origins. */
  origin: string;
  externalUserId?: string;
  /** Required if the application requires signatures: see `signUser`. */
  userSignature?: string;
  /** Reconnects this connection instead of creating one. */
  connectionId?: string;
  signal?: AbortSignal;
  /** Replaces the global fetch. */
  fetch?: Fetch;
};

const linkSessionPath = '/connect/api/link-sessions/{linkSessionId}';

/**
 * Connects a sandbox user and resolves to the result of `onSuccess`. For tests, and only with Sandbox applications. Throws
 * SandboxLinkError if the widget would show a failure, UsageError for an invalid `baseUrl`, TypeError for an application that is
 * not a Sandbox application, and an Error with the service's code if it rejects the options.
 */
export const linkSandbox = async (options: LinkSandboxOptions): Promise<LinkResult> => {
  checkBaseUrl(options);
  const { baseUrl, applicationId, origin, externalUserId, userSignature, connectionId } = options;
  const { fetch = globalThis.fetch, signal } = options;
  const client = openapiFetch<paths>({
    baseUrl: baseUrl.replace(/\/+$/, ''),
    fetch: (request) => fetch(request),
    ...requestOptions,
    signal,
  });
  const body = { applicationId, origin, externalUserId, userSignature, connectionId };
  const { session, view } = unwrap(await client.POST('/connect/api/link-sessions', { body }));
  const request = {
    params: { path: { linkSessionId: session.id } },
    headers: { Authorization: `Bearer ${session.secret}` },
  };
  const linkSession: LinkSession = {
    view,
    read: async () => unwrap(await client.GET(linkSessionPath, request)).view,
    submit: async (version, step) => {
      const call = await client.POST(`${linkSessionPath}/steps`, { ...request, body: { version, step } });
      return unwrap(call).view;
    },
    acknowledge: async () => {
      const { error } = await client.POST(`${linkSessionPath}/acknowledgement`, request);
      if (error) throw toError(error);
    },
    cancel: () => client.DELETE(linkSessionPath, { ...request, signal: undefined }),
  };
  return linkSandboxUser(linkSession, options, signal);
};

type Refusal = { code: string; title: string };

const unwrap = <Data>({ data, error }: { data?: Data; error?: Refusal }): Data => {
  if (data === undefined) throw toError(error);
  return data;
};

const toError = (refusal: Refusal | undefined): Error =>
  new Error(
    refusal?.code ? `${refusal.title} (${refusal.code}).` : 'The service did not respond as expected.',
  );
