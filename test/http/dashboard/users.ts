// Users of the dashboard's API: each has a cookie, and sends requests with the headers of the dashboard's page.
import createFetchClient, { type Client } from 'openapi-fetch';
import type { components, paths } from '../../../generated/management.ts';
import { createOrganization } from '../../../src/domain/applications/applications.ts';
import { findOrganizations } from '../../../src/domain/applications/store.ts';
import { byOperator, operatorActor } from '../../../src/domain/audit/by.ts';
import { invite } from '../../../src/domain/members/invitations.ts';
import type { Role } from '../../../src/domain/members/member.ts';
import { addMilliseconds, days } from '../../../src/platform/values/clock.ts';
import type { TestService } from '../../support/testService.ts';

export type DashboardUser = {
  url: string;
  email: string;
  password: string;
  /** A typed client with the user's cookie. */
  client: Client<paths>;
  /** fetch with the user's cookie, for requests outside the contract. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  cookie(): string | undefined;
  /** Replaces the cookie, for example with another user's. */
  setCookie(cookie: string | undefined): void;
};

export const password = 'correct horse battery staple';

/** A user without a session; with `address`, behind a proxy that reports this client address. */
export const anonymousUser = (
  url: string,
  email = 'anonymous@example.com',
  { address, origin = url }: { address?: string; origin?: string } = {},
): DashboardUser => {
  let cookie: string | undefined;
  const request = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (cookie && !headers.has('Cookie')) headers.set('Cookie', cookie);
    if (address !== undefined) headers.set('X-Forwarded-For', address);
    for (const [name, value] of Object.entries({ Origin: origin, 'Dashboard-Request': '1' })) {
      if (!headers.has(name)) headers.set(name, value);
    }
    const response = await fetch(new URL(path, url), { redirect: 'manual', ...init, headers });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const isCleared = /expires=Thu, 01 Jan 1970/i.test(set);
      if (pair.startsWith('dashboard_session=')) cookie = isCleared ? undefined : pair;
    }
    return response;
  };
  const client = createFetchClient<paths>({
    baseUrl: url,
    fetch: async (original: Request) => {
      const body = original.body === null ? undefined : await original.text();
      const { method, headers } = original;
      return request(original.url, { method, headers, body });
    },
  });
  return {
    ...{ url, email, password, client, fetch: request },
    cookie: () => cookie,
    setCookie: (input) => {
      cookie = input;
    },
  };
};

/** The token in a link's fragment. */
export const tokenOf = (link: string): string => new URL(link).hash.slice(1);

export const onlyOrganization = async ({ service }: TestService): Promise<string> =>
  (await findOrganizations(service.db.write))[0]!.id;

export const addOrganization = async ({ service }: TestService, name: string): Promise<string> =>
  (await createOrganization(service.db, name, { actor: operatorActor, now: service.clock.real() })).id;

/** The link of an invitation by the operator, by default to the only organization. */
export const inviteAsOperator = async (
  test: TestService,
  { email, role, organizationId }: { email: string; role: Role; organizationId?: string },
): Promise<string> => {
  const by = byOperator(organizationId ?? (await onlyOrganization(test)), test.service.clock.real());
  return (await invite(test.service.members, { email, role }, by)).url;
};

/** Accepts an invitation by its link. */
export const acceptInvitation = ({ client }: DashboardUser, link: string, input: object = { password }) =>
  client.POST('/management/invitation/accept', { body: { token: tokenOf(link), ...input } });

/** Sets a password with a reset link, and returns the status. */
export const resetPassword = async (
  { client }: DashboardUser,
  link: string,
  newPassword = password,
): Promise<number> => {
  const body = { token: tokenOf(link), password: newPassword };
  return (await client.POST('/management/password-reset', { body })).response.status;
};

/** The id of a member, who has a session. */
export const memberIdOf = async ({ client }: DashboardUser): Promise<string> =>
  (await client.GET('/management/session')).data!.member.id;

/** The matching events of the audit log, oldest first, with their details as objects. */
export const auditEvents = async ({ service: { db } }: TestService, where: object) =>
  (await db.read('audit_events').where(where).orderBy('id')).map((event) => ({
    ...event,
    details: JSON.parse(event.details),
  }));

type Page<Item> = { items: Item[]; nextCursor: string | undefined };

/** The items of all pages of a list. */
export const readPages = async <Item>(
  readPage: (cursor?: string) => Promise<Page<Item>>,
): Promise<Item[]> => {
  const all: Item[] = [];
  let cursor: string | undefined;
  do {
    const { items, nextCursor } = await readPage(cursor);
    all.push(...items);
    cursor = nextCursor;
  } while (cursor);
  return all;
};

/** Cursors that a list by time and id has never returned; the last one has a valid id. */
export const wrongCursors = (id: string): string[] => [
  'nonsense',
  ...[`2026-01-01T00:00:00.000Z ${id.slice(0, 4)}`, ` ${id}`].map((position) =>
    Buffer.from(position).toString('base64url'),
  ),
];

/** A member with a session, invited by the operator. */
export const createMember = async (
  test: TestService,
  input: { role: Role; email: string; organizationId?: string; origin?: string },
): Promise<DashboardUser> => {
  const { email, origin } = input;
  const user = anonymousUser(test.url, email, { origin });
  const link = await inviteAsOperator(test, input);
  const named = { name: email.split('@')[0]!, password };
  const { response, error } = await acceptInvitation(user, link, named);
  if (!response.ok) throw new Error(`Not accepted: ${JSON.stringify(error)}`);
  return user;
};

/** Another session of the same member, signed in by password. */
export const signIn = async (
  test: Pick<TestService, 'url'>,
  { email }: { email: string },
): Promise<DashboardUser> => {
  const user = anonymousUser(test.url, email);
  const { response, error } = await user.client.POST('/management/sign-in', { body: { email, password } });
  if (!response.ok) throw new Error(`Not signed in: ${JSON.stringify(error)}`);
  return user;
};

/** Creates an organization token as an owner; by default with every scope, for a month. */
export const createToken = async (
  { client }: DashboardUser,
  organizationId: string,
  input: Partial<components['schemas']['NewOrganizationToken']> = {},
) => {
  const body = { name: 'CI', role: 'owner' as const, scopes: [...tokenScopes], ...input };
  const { data, error } = await client.POST('/management/organizations/{organizationId}/tokens', {
    params: { path: { organizationId } },
    body: { expiresAt: addMilliseconds(new Date(), days(30)).toISOString(), ...body },
  });
  if (!data) throw new Error(`No token: ${JSON.stringify(error)}`);
  return data;
};

export const tokenScopes = ['read', 'audit', 'applications', 'connections', 'webhooks', 'sandbox'] as const;
