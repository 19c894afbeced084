// Links a login through the widget's HTTP API and waits for the import.
import { setTimeout as sleep } from 'node:timers/promises';
import createFetchClient from 'openapi-fetch';
import type { components, paths } from '../../generated/widget.ts';
import { benchInstitutionId } from './generatedConnector.ts';

type View = components['schemas']['LinkSessionView'];
type Step = components['schemas']['LinkStep'];

export type LinkedLogin = { connectionId: string; accountId: string; scopedToken: string };

export const hostOrigin = 'https://shop.example';

const pollMs = 5;
const headersOf = (secret: string) => ({ Authorization: `Bearer ${secret}` });

/** Takes all steps from consent to the acknowledged result. Throws if the link session ends differently. */
export const linkLogin = async (
  url: string,
  request: { applicationId: string; username: string },
): Promise<LinkedLogin> => {
  const client = createFetchClient<paths>({ baseUrl: url });
  const body = { applicationId: request.applicationId, origin: hostOrigin };
  const started = await client.POST('/connect/api/link-sessions', { body });
  if (!started.data) throw new Error(`No link session: ${JSON.stringify(started.error)}`);
  const { id: linkSessionId, secret } = started.data.session;
  const options = { params: { path: { linkSessionId } }, headers: headersOf(secret) };
  let view: View = started.data.view;
  const step = async (step: Step): Promise<void> => {
    const path = '/connect/api/link-sessions/{linkSessionId}/steps';
    const { data, error } = await client.POST(path, { ...options, body: { version: view.version, step } });
    if (!data) throw new Error(`The step ${step.kind} was refused: ${JSON.stringify(error)}`);
    view = data.view;
  };
  await step({ kind: 'consent' });
  await step({ kind: 'selectInstitution', institutionId: benchInstitutionId });
  await step({ kind: 'credentials', values: { username: request.username } });
  if (view.state !== 'accounts') throw new Error(`The link session is in the state ${view.state}.`);
  await step({ kind: 'selectAccounts', accountIds: view.accounts.map((account) => account.id) });
  while (view.state === 'importing') {
    await sleep(pollMs);
    const { data } = await client.GET('/connect/api/link-sessions/{linkSessionId}', options);
    if (data) view = data.view;
  }
  if (view.state !== 'finished') throw new Error(`The link session ended as ${JSON.stringify(view)}`);
  await client.POST('/connect/api/link-sessions/{linkSessionId}/acknowledgement', options);
  const { connectionId, accounts, scopedToken } = view.result;
  return { connectionId, accountId: accounts[0]!.id, scopedToken: scopedToken! };
};
