// Links a login through the widget's HTTP API and waits for the import.
import { setTimeout as sleep } from 'node:timers/promises';
import createFetchClient from 'openapi-fetch';
import type { components, paths } from '../../generated/widget.ts';
import { benchInstitutionId } from './generatedConnector.ts';

type View = components['schemas']['LinkSessionView'];
type Step = components['schemas']['LinkStep'];

export type LinkRequest = {
  applicationId: string;
  username: string;
  /** The default is that of the generated connector. */
  institutionId?: string;
  /** Only for a connector that requires one. */
  password?: string;
  /** The interval at which the import is polled. */
  pollMs?: number;
  timeoutMs?: number;
};

export type LinkedLogin = {
  connectionId: string;
  scopedToken: string;
  /** The first account. */
  accountId: string;
  accounts: { id: string; name: string; currency: string }[];
};

export const hostOrigin = 'https://shop.example';

/** Takes all steps from consent to the acknowledged result. Throws if a request fails or the session ends differently. */
export const linkLogin = async (url: string, request: LinkRequest): Promise<LinkedLogin> => {
  const {
    applicationId,
    institutionId = benchInstitutionId,
    pollMs = 5,
    timeoutMs = 3_600_000,
    ...values
  } = request;
  const client = createFetchClient<paths>({ baseUrl: url, signal: AbortSignal.timeout(timeoutMs) });
  const created = await client.POST('/connect/api/link-sessions', {
    body: { applicationId, origin: hostOrigin },
  });
  if (!created.data) throw new Error(`No link session: ${JSON.stringify(created.error)}`);
  const { id: linkSessionId, secret } = created.data.session;
  const options = { params: { path: { linkSessionId } }, headers: { Authorization: `Bearer ${secret}` } };
  let view: View = created.data.view;
  const submit = async (step: Step): Promise<void> => {
    const path = '/connect/api/link-sessions/{linkSessionId}/steps';
    const { data, error } = await client.POST(path, { ...options, body: { version: view.version, step } });
    if (!data) throw new Error(`The step ${step.kind} was refused: ${JSON.stringify(error)}`);
    view = data.view;
  };
  await submit({ kind: 'consent' });
  await submit({ kind: 'selectInstitution', institutionId });
  await submit({ kind: 'credentials', values });
  if (view.state !== 'accounts') throw new Error(`The link session is in the state ${view.state}.`);
  await submit({ kind: 'selectAccounts', accountIds: view.accounts.map(({ id }) => id) });
  while (view.state === 'importing') {
    await sleep(pollMs);
    const { data } = await client.GET('/connect/api/link-sessions/{linkSessionId}', options);
    if (data) view = data.view;
  }
  if (view.state !== 'finished') throw new Error(`The link session ended as ${JSON.stringify(view)}.`);
  const path = '/connect/api/link-sessions/{linkSessionId}/acknowledgement';
  const { response } = await client.POST(path, options);
  if (!response.ok) throw new Error('The result was not acknowledged.');
  const { connectionId, accounts, scopedToken } = view.result;
  return { connectionId, scopedToken: scopedToken!, accountId: accounts[0]!.id, accounts };
};
