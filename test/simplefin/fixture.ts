// A service with an end user whose bank a test sets, and requests to the SimpleFIN server as applications send them.
import { afterAll, beforeAll, describe } from 'vitest';
import { createClient, unwrap } from '../../client/index.ts';
import type { components } from '../../generated/simplefin.ts';
import { days, toIsoDate } from '../../src/platform/values/clock.ts';
import { type DatabaseKind, oneDatabase } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  type ScriptedAccount,
  type ScriptedConnector,
} from '../support/scriptedConnector.ts';
import {
  type LinkOptions,
  link,
  startService,
  type TestApplication,
  type TestService,
  type TestServiceOptions,
} from '../support/testService.ts';

export type AccountSet = components['schemas']['AccountSet'];
export type LinkedUser = Awaited<ReturnType<typeof link>> & { scopedToken: string };

export type SimplefinFixture = {
  service: TestService;
  connector: ScriptedConnector;
  application: TestApplication;
  /** Links a login of North Bank, whose accounts were set before. */
  link(username: string, accounts: ScriptedAccount[], options?: LinkOptions): Promise<LinkedUser>;
  /** Sends a request as a consumer's backend does. */
  fromBackend(method: string, path: string, options?: BackendRequest): Promise<Response>;
  createSetupToken(scopedToken: string, body?: NewAccess): Promise<string>;
  createAccessUrl(scopedToken: string, body?: NewAccess): Promise<string>;
};

type BackendRequest = { scopedToken?: string; apiKey?: string; body?: object };

/** The day this many days before today. */
export const daysAgo = (count: number): string => toIsoDate(new Date(Date.now() - days(count)));

/** The address that a setup token contains. */
export const claimAddressOf = (setupToken: string): string => Buffer.from(setupToken, 'base64').toString();

/** Claims a setup token as applications do. */
export const claim = (setupToken: string): Promise<Response> =>
  fetch(claimAddressOf(setupToken), {
    method: 'POST',
    headers: { 'Content-Length': '0' },
    redirect: 'manual',
  });

/** The access URL that a claim returns. */
export const claimAccessUrl = async (setupToken: string): Promise<string> => {
  const response = await claim(setupToken);
  if (response.status !== 200) throw new Error(`The claim failed: ${await response.text()}`);
  return response.text();
};

/** Creates an access, by default to all accounts, and returns its setup token. */
export const createSetupToken = async (
  { url, apiKey, scopedToken }: { url: string; apiKey: string; scopedToken: string },
  body: NewAccess = { label: 'Actual Budget', allAccounts: true },
): Promise<string> => {
  const client = createClient({ baseUrl: url, apiKey, scopedToken });
  return (await unwrap(client.POST('/simplefin/accesses', { body }))).setupToken;
};

type NewAccess = components['schemas']['NewSimplefinAccess'];

/** Splits an access URL by hand, as applications without URL decoding do. */
export const splitAccessUrl = (accessUrl: string) => {
  const [scheme, rest = ''] = accessUrl.split('//');
  const [credentials = '', address] = rest.split('@');
  const [user, password] = credentials.split(':');
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return { user: user!, password: password!, address: `${scheme}//${address}`, authorization };
};

/** Reads accounts with an access URL. */
export const readWith = (accessUrl: string, query = ''): Promise<Response> => {
  const { address, authorization } = splitAccessUrl(accessUrl);
  return fetch(`${address}/accounts${query}`, { headers: { Authorization: authorization } });
};

/** The status of a read. Like an application, reads the whole response, because the service waits for that when it stops. */
export const statusWith = async (accessUrl: string): Promise<number> => {
  const response = await readWith(accessUrl);
  await response.arrayBuffer();
  return response.status;
};

export const readSet = async (accessUrl: string, query = ''): Promise<AccountSet> => {
  const response = await readWith(accessUrl, query);
  if (response.status !== 200) throw new Error(`Reading failed: ${await response.text()}`);
  return (await response.json()) as AccountSet;
};

/** Describes tests on one database, or on the given ones. */
export const describeSimplefin = (
  name: string,
  defineTests: (fixture: SimplefinFixture) => void,
  { only = oneDatabase, ...options }: TestServiceOptions & { only?: DatabaseKind[] } = {},
): void => {
  for (const database of only) {
    describe(`${name} on ${database.name}`, () => {
      const fixture = {} as SimplefinFixture;
      beforeAll(async () => {
        Object.assign(fixture, await startFixture({ database, ...options }));
      });
      afterAll(() => fixture.service?.close());
      defineTests(fixture);
    });
  }
};

const startFixture = async ({ limits, ...options }: TestServiceOptions): Promise<SimplefinFixture> => {
  const connector = makeScriptedConnector();
  const service = await startService({
    connectors: [connector.module],
    limits: { simplefinReadsPerDay: 1_000_000, workerPollMs: 20, sweepGraceSeconds: 0, ...limits },
    ...options,
  });
  const application = await service.addApplication({ environment: 'production' });
  const fromBackend: SimplefinFixture['fromBackend'] = (
    method,
    path,
    { scopedToken, apiKey = application.apiKey, body } = {},
  ) =>
    fetch(`${service.url}/simplefin/accesses${path}`, {
      method,
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(scopedToken !== undefined && { 'X-Scoped-Token': scopedToken }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      body: body && JSON.stringify(body),
    });
  const createToken: SimplefinFixture['createSetupToken'] = (scopedToken, body) =>
    createSetupToken({ url: service.url, apiKey: application.apiKey, scopedToken }, body);
  return {
    ...{ service, connector, application, fromBackend },
    link: async (username, accounts, more) => {
      connector.setAccounts(username, accounts);
      const options = { username, institutionId: northBank, applicationId: application.id, ...more };
      return (await link(service, options)) as LinkedUser;
    },
    createSetupToken: createToken,
    createAccessUrl: async (scopedToken, body) => claimAccessUrl(await createToken(scopedToken, body)),
  };
};
