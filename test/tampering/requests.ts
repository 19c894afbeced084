// The requests of all parties: end users read their own data and that of others, members the dashboard's pages, guests their links.
import { createClient } from '../../client/index.ts';
import { anonymousUser, password } from '../http/dashboard/users.ts';
import { readWith } from '../simplefin/fixture.ts';
import type { Fixture, Organization, User } from './fixtureTypes.ts';
import { observe, type Running, requestTimeoutMs } from './running.ts';

/** All end users read their own data, and try to read that of others; each API key tries the other applications. */
export const readAll = async (running: Running, round: string): Promise<void> => {
  const { users } = running.fixture;
  const reads = users.flatMap((user) => {
    const others = users.filter((other) => other !== user && isNeighbour(user, other));
    return [...ownReads(user), ...others.flatMap((other) => foreignReads(user, other))];
  });
  await Promise.all(
    reads.map(({ user, apiKey, path, foreign, withToken }) => {
      const request = `${round} ${apiKey ? 'with another key ' : ''}${withToken ? '' : 'without a token '}${path}`;
      return observe(running, { by: user.name, request, foreign }, async () => {
        let received: Response | undefined;
        const client = createClient({
          ...{ baseUrl: running.url, apiKey: apiKey ?? user.application.apiKey, retries: 0 },
          ...(withToken && { scopedToken: user.scopedToken }),
          fetch: async (sent) => {
            const response = await fetch(sent, { signal: AbortSignal.timeout(requestTimeoutMs) });
            received = response.clone();
            return response;
          },
        });
        await client.GET(path as '/connections');
        return received!;
      });
    }),
  );
};

/** Each end user's application reads over SimpleFIN. */
export const readOverSimplefin = async (running: Running, round: string): Promise<void> => {
  await Promise.all(
    running.fixture.users.map(({ name, accessUrl }) =>
      observe(running, { by: name, request: `${round} /simplefin/accounts` }, () =>
        readWith(
          accessUrl.replace(/@.*/, `@${new URL(running.url).host}/simplefin`),
          '?start-date=0&pending=1',
        ),
      ),
    ),
  );
};

type Read = { user: User; apiKey?: string; path: string; foreign: boolean; withToken: boolean };

/** Pairs of a reader and an owner, whose rows get each other's values. */
const neighbours = [
  ['adelheid', 'benedikt'],
  ['adelheid', 'cleopatra'],
  ['samantha', 'susannah'],
];
const isNeighbour = (user: User, other: User): boolean =>
  neighbours.some((names) => names.includes(user.name) && names.includes(other.name));

const ownReads = (user: User): Read[] => {
  const own = (path: string): Read => ({ user, path, foreign: false, withToken: true });
  return [
    own('/connections'),
    ...user.connections.flatMap(({ id, accountIds }) => [
      { ...own(`/connections/${id}`), withToken: false },
      own(`/connections/${id}/accounts`),
      ...accountIds.map((accountId) => own(`/accounts/${accountId}/transactions`)),
    ]),
    own(`/accounts/${user.connections[0]!.accountIds[0]!}`),
  ];
};

const foreignReads = (user: User, other: User): Read[] => {
  const foreign = (path: string): Read => ({ user, path, foreign: true, withToken: true });
  const { id, accountIds } = other.connections[0]!;
  const reads = [foreign(`/connections/${id}/accounts`), foreign(`/accounts/${accountIds[0]!}/transactions`)];
  if (user.application.id === other.application.id) return reads;
  return [
    ...reads,
    { ...foreign('/connections'), apiKey: other.application.apiKey },
    { ...foreign(`/connections/${id}`), withToken: false },
  ];
};

/** The owner of an organization reads its pages, and tries those of the other organization. */
export const readDashboard = async (running: Running, organization: Organization): Promise<void> => {
  const user = anonymousUser(running.url, organization.owner.email);
  user.setCookie(organization.owner.user.cookie());
  const by = `owner of ${organization.name}`;
  const other = running.fixture.organizations.find(({ id }) => id !== organization.id)!;
  const get = (path: string, foreign: boolean) =>
    observe(running, { by, request: path, foreign }, () =>
      user.fetch(`/management${path}`, { signal: AbortSignal.timeout(requestTimeoutMs) }),
    );
  await Promise.all([
    ...['/session', '/me/sessions', '/me/passkeys'].map((path) => get(path, false)),
    ...pagesOf(running.fixture, organization).map((path) => get(path, false)),
    ...foreignPagesOf(running.fixture, other).map((path) => get(path, true)),
    ...[organization, other].map(({ id }) => getWithToken(running, organization, id)),
  ]);
};

/** A program reads the sandbox of an organization with that organization's token. */
const getWithToken = (running: Running, { name, id, token }: Organization, organizationId: string) => {
  const request = `/organizations/${organizationId}/sandbox`;
  const foreign = organizationId !== id;
  return observe(running, { by: `token of ${name}`, request, foreign }, () =>
    fetch(`${running.url}/management${request}`, {
      headers: { Authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(requestTimeoutMs),
    }),
  );
};

const pagesOf = ({ users }: Fixture, { id, production, sandbox, name }: Organization): string[] => [
  ...['company', 'members', 'invitations', 'applications', 'sandbox', 'audit?limit=200'].map(
    (page) => `/organizations/${id}/${page}`,
  ),
  ...[production, sandbox].flatMap((application) => [
    `/applications/${application.id}`,
    ...['api-keys', 'connections', 'overview?range=hour', 'webhook-endpoints', 'requests'].map(
      (page) => `/applications/${application.id}/${page}`,
    ),
    ...['link-sessions', 'link-session-statistics?days=7', 'simplefin-accesses'].map(
      (page) => `/applications/${application.id}/${page}`,
    ),
  ]),
  ...users
    .filter(({ organization }) => organization === name)
    .slice(0, 1)
    .map((user) => `/applications/${user.application.id}/connections/${user.connections[0]!.id}`)
    .flatMap((path) => [path, `${path}/consents`]),
];

const foreignPagesOf = (fixture: Fixture, organization: Organization): string[] =>
  pagesOf(fixture, organization).filter((path) => /members$|sandbox$|audit|connections/.test(path));

/** Signs in by password and by passkey, finishes adding a passkey, and opens the links. */
export const signIn = async (running: Running, organization: Organization): Promise<void> => {
  const { owner, name, invitation, resetToken, newPasskey } = organization;
  const post = (user: ReturnType<typeof anonymousUser>, by: string, path: string, body: unknown) =>
    observe(running, { by, request: `POST ${path}` }, () =>
      user.fetch(`/management${path}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
        signal: AbortSignal.timeout(requestTimeoutMs),
      }),
    );
  const by = `owner of ${name}`;
  const withPassword = anonymousUser(running.url);
  await post(withPassword, by, '/sign-in', { email: owner.email, password });
  const withPasskey = anonymousUser(running.url);
  const { data } = await withPasskey.client.POST('/management/sign-in/passkey/challenge');
  const response = owner.authenticator.get(data!.options as never);
  await post(withPasskey, by, '/sign-in/passkey', { challengeId: data!.challengeId, response });
  const signedIn = anonymousUser(running.url);
  signedIn.setCookie(owner.user.cookie());
  const { challengeId, challenge } = newPasskey;
  const created = owner.newAuthenticator.create({ challenge });
  await post(signedIn, by, '/me/passkeys', { challengeId, name: 'New', response: created });
  const guest = anonymousUser(running.url);
  await post(guest, `guest of ${name}`, '/invitation/view', { token: invitation });
  await post(guest, `viewer of ${name}`, '/password-reset', { token: resetToken, password });
};
