// Users of the dashboard's API: each has a cookie, and sends requests with the headers of the dashboard's page.
import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from '../../../generated/dashboard.ts';
import { createOrganization } from '../../../src/applications/applications.ts';
import { findOrganizations } from '../../../src/applications/store.ts';
import { byOperator, operatorActor } from '../../../src/audit/by.ts';
import { invite } from '../../../src/members/invitations.ts';
import type { Role } from '../../../src/members/member.ts';
import type { TestService } from '../../support/testService.ts';

export type DashboardUser = {
  email: string;
  password: string;
  /** A typed client with the user's cookie. */
  client: Client<paths>;
  /** fetch with the user's cookie, for requests outside the contract. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  cookie(): string | undefined;
  /** Replaces the cookie, for example by another user's. */
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
    email,
    password,
    client,
    fetch: request,
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

/** A member with a session, invited by the operator. */
export const createMember = async (
  test: TestService,
  input: { role: Role; email: string; organizationId?: string; origin?: string },
): Promise<DashboardUser> => {
  const organizationId = input.organizationId ?? (await onlyOrganization(test));
  const { email, role } = input;
  const by = byOperator(organizationId, test.service.clock.real());
  const { url } = await invite(test.service.members, { email, role }, by);
  const user = anonymousUser(test.url, email, { origin: input.origin });
  const { response, error } = await user.client.POST('/dashboard/api/invitation/accept', {
    body: { token: tokenOf(url), name: email.split('@')[0]!, password },
  });
  if (!response.ok) throw new Error(`Not accepted: ${JSON.stringify(error)}`);
  return user;
};

/** Another session of the same member, signed in by password. */
export const signIn = async (
  test: Pick<TestService, 'url'>,
  { email }: { email: string },
): Promise<DashboardUser> => {
  const user = anonymousUser(test.url, email);
  const { response, error } = await user.client.POST('/dashboard/api/sign-in', {
    body: { email, password },
  });
  if (!response.ok) throw new Error(`Not signed in: ${JSON.stringify(error)}`);
  return user;
};
