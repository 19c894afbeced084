// Continues link sessions as the widget's page does.
import { requestWidgetApi } from '../linking/fixture.ts';
import { hostOrigin } from '../support/testService.ts';
import { loginAt } from './banks.ts';
import type { Session, User } from './fixtureTypes.ts';
import { type Observation, observe, type RequestOptions, type Running, settle } from './running.ts';

const widgetRequest = (
  running: Running,
  options: RequestOptions,
  path: string,
  init: { method?: string; secret?: string; body?: unknown },
): Promise<Observation> =>
  observe(running, options, async () => {
    const { status, body } = await requestWidgetApi(running, path, init);
    return new Response(status === 204 ? null : JSON.stringify(body ?? ''), { status });
  });

/** Tries the secret of the next session, which opens nothing; the session's own secret then leads to its end. */
export const continueSession = async (running: Running, session: Session): Promise<void> => {
  const { sessions } = running.fixture;
  const other = sessions[(sessions.indexOf(session) + 1) % sessions.length]!;
  const request = `session "${session.name}"`;
  await widgetRequest(
    running,
    { by: other.user, request: `${request} with the secret of "${other.name}"`, foreign: true },
    `/${session.id}`,
    { secret: other.secret },
  );
  await driveSession(running, session);
};

const stepsMax = 10;

const driveSession = async (running: Running, session: Session): Promise<void> => {
  const { id, secret, user: by } = session;
  const send = (what: string, path: string, method: string, body?: unknown): Promise<Observation> =>
    widgetRequest(running, { by, request: `session "${session.name}" ${what}` }, `/${id}${path}`, {
      ...{ secret, method, body },
    });
  let last = await send('view', '', 'GET');
  for (let step = 0; step < stepsMax && last.status === 200; step++) {
    const { view } = JSON.parse(last.body);
    if (view.state === 'finished') {
      await send('acknowledgement', '/acknowledgement', 'POST');
      return;
    }
    if (view.state === 'failed') return;
    if (view.state === 'importing') {
      await settle(running);
      last = await send('view', '', 'GET');
      if (last.status === 200 && JSON.parse(last.body).view.state === 'importing') return;
      continue;
    }
    const body = { version: view.version, step: stepOf(session, view) };
    last = await send(view.state, '/steps', 'POST', body);
  }
};

// biome-ignore lint/suspicious/noExplicitAny: a view of any state.
const stepOf = ({ user, options }: Session, view: any): object => {
  switch (view.state) {
    case 'institution':
      return { kind: 'selectInstitution', institutionId: options.institutionId };
    case 'credentials': {
      // An end user types the login of the bank that the page shows.
      const values = { username: loginAt(user, view.institution.id), password: 'password' };
      return { kind: 'credentials', values };
    }
    case 'accounts':
      return {
        kind: 'selectAccounts',
        accountIds: view.accounts.map((account: { id: string }) => account.id),
      };
    default:
      return { kind: view.state };
  }
};

/** A new session that reconnects the first connection of the first end user, whose rows are changed. */
export const reconnectAgain = async (running: Running): Promise<void> => {
  const [user] = running.fixture.users as [User];
  const connectionId = user.connections[0]!.id;
  const body = { applicationId: user.application.id, origin: hostOrigin, connectionId };
  const options = { by: user.name, request: 'new session' };
  const created = await widgetRequest(running, options, '', { method: 'POST', body });
  if (created.status !== 201) return;
  const { session } = JSON.parse(created.body);
  await driveSession(running, { name: 'new reconnect', user: user.name, ...session, options: {} });
};
