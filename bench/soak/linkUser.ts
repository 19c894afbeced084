// Links a sandbox user as the widget's page does, and throws where anything on the way fails: whoever is killed
// meanwhile, the caller begins anew.
import { setTimeout as sleep } from 'node:timers/promises';
import createFetchClient from 'openapi-fetch';
import type { components, paths } from '../../generated/widget.ts';

type View = components['schemas']['LinkSessionView'];
type Step = components['schemas']['LinkStep'];

export type SoakUser = { institutionId: string; username: string };
export type LinkedUser = SoakUser & {
  connectionId: string;
  scopedToken: string;
  accounts: { id: string; name: string; currency: string }[];
};

export const hostOrigin = 'https://soak.example';

export const linkUser = async (url: string, applicationId: string, person: SoakUser): Promise<LinkedUser> => {
  const client = createFetchClient<paths>({ baseUrl: url, signal: AbortSignal.timeout(60_000) });
  const started = await client.POST('/connect/api/link-sessions', {
    body: { applicationId, origin: hostOrigin },
  });
  if (!started.data) throw new Error(`No linking session: ${JSON.stringify(started.error)}`);
  const { id: linkSessionId, secret } = started.data.session;
  const options = { params: { path: { linkSessionId } }, headers: { Authorization: `Bearer ${secret}` } };
  let view: View = started.data.view;
  const step = async (step: Step): Promise<void> => {
    const path = '/connect/api/link-sessions/{linkSessionId}/steps';
    const { data, error } = await client.POST(path, { ...options, body: { version: view.version, step } });
    if (!data) throw new Error(`The step ${step.kind} is refused: ${JSON.stringify(error)}`);
    view = data.view;
  };
  await step({ kind: 'consent' });
  await step({ kind: 'selectInstitution', institutionId: person.institutionId });
  await step({ kind: 'credentials', values: { username: person.username, password: 'password' } });
  if (view.state !== 'accounts') throw new Error(`Linking stands at ${view.state}.`);
  await step({ kind: 'selectAccounts', accountIds: view.accounts.map(({ id }) => id) });
  while (view.state === 'importing') {
    await sleep(200);
    const { data } = await client.GET('/connect/api/link-sessions/{linkSessionId}', options);
    if (data) view = data.view;
  }
  if (view.state !== 'finished') throw new Error(`Linking ended as ${view.state}.`);
  const acknowledged = await client.POST(
    '/connect/api/link-sessions/{linkSessionId}/acknowledgement',
    options,
  );
  if (!acknowledged.response.ok) throw new Error('The result was not acknowledged.');
  const { connectionId, accounts, scopedToken } = view.result;
  return { ...person, connectionId, accounts, scopedToken: scopedToken! };
};
