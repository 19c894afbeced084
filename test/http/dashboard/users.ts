// People at the dashboard's door: each has a browser's cookies and asks as the page does.
import { operatorActor } from '../../../src/audit/store.ts';
import createFetchClient, { type Client } from 'openapi-fetch';
import type { paths } from '../../../generated/dashboard.ts';
import { createOrganization } from '../../../src/applications/createApplication.ts';
import { findOrganizations } from '../../../src/applications/store.ts';
import { invite } from '../../../src/members/invitations.ts';
import type { Role } from '../../../src/members/member.ts';
import type { TestService } from '../../support/testService.ts';

export type DashboardUser = {
  email: string;
  password: string;
  /** Their own client, with whatever cookie the service gave them. */
  client: Client<paths>;
  /** The same, for what the typed client cannot say. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  cookie(): string | undefined;
  /** Takes this cookie from now on, as a browser into which somebody else put it. */
  setCookie(cookie: string | undefined): void;
};

export const password = 'correct horse battery staple';

/** Somebody with a browser and without a session. */
export const anonymousUser = (url: string, email = 'nobody@example.com'): DashboardUser => {
  let cookie: string | undefined;
  const ask = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = new Headers(init.headers);
    if (cookie && !headers.has('Cookie')) headers.set('Cookie', cookie);
    for (const [name, value] of Object.entries({ Origin: url, 'Dashboard-Request': '1' })) {
      if (!headers.has(name)) headers.set(name, value);
    }
    const response = await fetch(new URL(path, url), { redirect: 'manual', ...init, headers });
    for (const set of response.headers.getSetCookie()) {
      const [pair = ''] = set.split(';');
      const isGone = /expires=Thu, 01 Jan 1970/i.test(set);
      if (pair.startsWith('dashboard_session=')) cookie = isGone ? undefined : pair;
    }
    return response;
  };
  const client = createFetchClient<paths>({
    baseUrl: url,
    fetch: async (request: Request) => {
      const body = request.body === null ? undefined : await request.text();
      const { method, headers } = request;
      return ask(request.url, { method, headers, body });
    },
  });
  return {
    email,
    password,
    client,
    fetch: ask,
    cookie: () => cookie,
    setCookie: (given) => {
      cookie = given;
    },
  };
};

/** The token of a link, as the page reads it from its address. */
export const tokenOf = (link: string): string => new URL(link).hash.slice(1);

export const onlyOrganization = async ({ service }: TestService): Promise<string> =>
  (await findOrganizations(service.db.write))[0]!.id;

export const addOrganization = async ({ service }: TestService, name: string): Promise<string> =>
  (await createOrganization(service.db, { name, now: service.clock.real() })).id;

/** Somebody who was invited by the operator and accepted: a member with a session. */
export const createMember = async (
  test: TestService,
  given: { role: Role; email: string; organizationId?: string },
): Promise<DashboardUser> => {
  const organizationId = given.organizationId ?? (await onlyOrganization(test));
  const { email, role } = given;
  const { url } = await invite(test.service.members, { organizationId, email, role, actor: operatorActor });
  const person = anonymousUser(test.url, email);
  const { response, error } = await person.client.POST('/dashboard/api/invitation/accept', {
    body: { token: tokenOf(url), name: email.split('@')[0]!, password },
  });
  if (!response.ok) throw new Error(`Not accepted: ${JSON.stringify(error)}`);
  return person;
};

/** Another browser of the same person, signed in with their password. */
export const signIn = async (
  test: Pick<TestService, 'url'>,
  { email }: { email: string },
): Promise<DashboardUser> => {
  const person = anonymousUser(test.url, email);
  const { response, error } = await person.client.POST('/dashboard/api/sign-in', {
    body: { email, password },
  });
  if (!response.ok) throw new Error(`Not signed in: ${JSON.stringify(error)}`);
  return person;
};
