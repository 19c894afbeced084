// Sends valid, nearly valid and hostile requests to the operations of the four contracts. Each contract declares every
// response, and the service never fails. `npm run fuzz -- --minutes N` runs longer, with other seeds.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findOperations, readContract } from '../../src/interfaces/http/contract.ts';
import { createMember, type DashboardUser } from '../http/dashboard/users.ts';
import { claimAccessUrl, createSetupToken, splitAccessUrl, statusWith } from '../simplefin/fixture.ts';
import { collectGarbage } from '../support/collectGarbage.ts';
import { databases, lastDatabase } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  scriptedTransaction,
  southBank,
} from '../support/scriptedConnector.ts';
import {
  hostOrigin,
  link,
  startService,
  type TestApplication,
  type TestService,
} from '../support/testService.ts';
import { requestsOf } from './requestArbitrary.ts';
import { type Hints, known } from './schemaArbitrary.ts';
import { type Credentials, type Memory, makeMemory, makeSender } from './sender.ts';

const minutes = Number(process.env.FUZZ_MINUTES ?? 0);
/** PostgreSQL refuses more values than SQLite. */
const kinds = minutes > 0 ? databases : lastDatabase;
const firstSeed = Number(process.env.FUZZ_SEED ?? 1);
/** The number of requests between two checks that the principals can still sign in. */
const batch = 50;
const batches = 10;
/** The service runs in this process. */
const heapGrowthMax = 64 * 2 ** 20;

const heapAfterCollection = (): number => {
  collectGarbage();
  return process.memoryUsage().heapUsed;
};

type FuzzFixture = {
  service: TestService;
  application: TestApplication;
  tokens: string[];
  accessUrls: string[];
  users: DashboardUser[];
  memory: Memory;
};

const startFixture = async (database: (typeof databases)[number]): Promise<FuzzFixture> => {
  const connector = makeScriptedConnector();
  const transactions = Array.from({ length: 30 }, (_, index) =>
    scriptedTransaction({ id: `t${index}`, date: `2024-01-${String(1 + (index % 28)).padStart(2, '0')}` }),
  );
  connector.setAccounts('ada', [scriptedAccount({ id: 'ada', number: 'DE1', transactions })]);
  connector.setAccounts('challenged', [scriptedAccount({ id: 'challenged', number: 'DE2', transactions })]);
  connector.challenge('challenged', { kind: 'code', label: 'Code' }, '123456');
  // Otherwise most responses would be 429.
  const many = 1_000_000;
  const limits = { dashboardRequestsPerMinute: many, simplefinReadsPerDay: many, simplefinAccessesMax: many };
  const service = await startService({
    ...{ database, limits, connectors: [connector.module] },
    env: { ALLOWED_NETWORKS: '127.0.0.0/8' },
  });
  const application = await service.addApplication({ environment: 'production' });
  return { service, application, tokens: [], accessUrls: [], users: [], memory: makeMemory() };
};

/** Columns that let an application link and read, regardless of its owners' settings. */
const usable = {
  ...{ archivedAt: null, requestsPerMinute: null, identityRequiredAt: null },
  origins: JSON.stringify([hostOrigin]),
};

/** Undoes the requests' changes to settings, and replaces the keys, tokens and sessions that they revoked or ended. */
const restore = async (fixture: FuzzFixture): Promise<void> => {
  const { service, application, tokens, accessUrls, users, memory } = fixture;
  await service.service.db.write('applications').where({ id: application.id }).update(usable);
  const client = service.client(tokens.at(-1), application.apiKey);
  if (tokens.length === 0 || (await client.GET('/connections')).response.status !== 200) {
    if ((await client.GET('/connections')).response.status === 401) {
      Object.assign(application, await service.addKey(application.id));
    }
    const options = { applicationId: application.id, institutionId: northBank, username: 'ada' };
    const linked = await link(service, options);
    tokens.push(linked.scopedToken!);
    const { session: _, ...result } = linked;
    memory.learn(result);
  }
  if (accessUrls.length === 0 || (await statusWith(accessUrls.at(-1)!)) !== 200) {
    const reader = { url: service.url, apiKey: application.apiKey, scopedToken: tokens.at(-1)! };
    accessUrls.push(await claimAccessUrl(await createSetupToken(reader)));
  }
  memory.learn(application);
  for (const [index, role] of (['owner', 'developer', 'viewer'] as const).entries()) {
    const user = users[index];
    const session = user && (await user.client.GET('/management/session'));
    if (session?.data?.organizations.length) continue;
    users[index] = await createMember(service, { role, email: `${role}-${Date.now()}@example.com` });
    memory.learn((await users[index].client.GET('/management/session')).data);
  }
};

const hints: Hints = {
  applicationId: known('app'),
  connectionId: fc.option(known('con'), { nil: undefined, freq: 1 }),
  accountSelection: fc.constantFrom(undefined, undefined, true),
  // Mostly omitted, because hardly any generated value is valid.
  userSignature: fc.constant(undefined),
  returnAddress: fc.constant(undefined),
  version: known('version'),
  step: known('step'),
  institutionId: fc.constantFrom(northBank, southBank, 'sandbox-bank'),
  username: fc.constantFrom('ada', 'challenged', 'other'),
  values: fc.record({
    username: fc.constantFrom('ada', 'challenged', 'other'),
    password: fc.constant('password'),
  }),
  answer: fc.constantFrom('123456', '000000'),
  accountIds: fc.constant(['0']),
  // For SimpleFIN accesses, because none of the ids above is an account of the end user.
  allAccounts: fc.constant(true),
  origin: fc.constant(hostOrigin),
  origins: fc.constant([hostOrigin]),
  // Nothing listens there, and tests send nothing elsewhere.
  url: fc.constant('https://127.0.0.1:9/webhooks'),
  email: fc.constantFrom('owner@example.com', 'someone@example.com'),
  cursor: fc.string({ maxLength: 80 }),
};

type Target = {
  contract: string;
  headerNames: string[];
  credentials: (fixture: FuzzFixture) => Credentials;
};

const targets: Target[] = [
  {
    contract: 'openapi.yaml',
    headerNames: ['Authorization', 'X-Scoped-Token'],
    credentials:
      ({ application, tokens }) =>
      () => ({ Authorization: `Bearer ${application.apiKey}`, 'X-Scoped-Token': tokens.at(-1)! }),
  },
  {
    contract: 'src/interfaces/http/simplefin/openapi.yaml',
    headerNames: ['Authorization', 'X-Scoped-Token'],
    credentials:
      ({ application, tokens, accessUrls }) =>
      (_principal, { operation }): Record<string, string> =>
        operation.operationId === 'readSimplefinAccounts'
          ? { Authorization: splitAccessUrl(accessUrls.at(-1)!).authorization }
          : { Authorization: `Bearer ${application.apiKey}`, 'X-Scoped-Token': tokens.at(-1)! },
  },
  { contract: 'widget/openapi.yaml', headerNames: ['Authorization'], credentials: () => () => ({}) },
  {
    contract: 'management/openapi.yaml',
    headerNames: ['Cookie', 'Dashboard-Request', 'Origin'],
    credentials:
      ({ service, users }) =>
      (principal) => ({
        Origin: service.url,
        'Dashboard-Request': '1',
        Cookie: users[principal % users.length]!.cookie() ?? '',
      }),
  },
];

for (const database of kinds) {
  describe(`requests generated from the contracts, on ${database.name}`, () => {
    let fixture: FuzzFixture;
    beforeAll(async () => {
      fixture = await startFixture(database);
    });
    afterAll(() => fixture?.service.close());

    test.each(targets)(
      '$contract: every response is declared, and none is a failure',
      { timeout: 60_000 + minutes * 60_000 },
      async ({ contract: name, headerNames, credentials }) => {
        const contract = readContract(name);
        const { service, memory } = fixture;
        const sender = makeSender(service.url, contract, {
          headerNames,
          credentials: credentials(fixture),
          memory,
        });
        const requests = requestsOf(contract, hints);
        const end = Date.now() + (minutes * 60_000) / targets.length / kinds.length;
        let count = 0;
        let heapBefore = 0;
        try {
          for (let run = 0; run < batches || Date.now() < end; run++) {
            await restore(fixture);
            await fc.assert(
              fc.asyncProperty(requests, async (request) => {
                const problem = await sender.send(request);
                count += 1;
                if (problem !== undefined) throw new Error(problem);
              }),
              { seed: firstSeed + run, numRuns: batch, endOnFailure: true },
            );
            if (run === batches) heapBefore = heapAfterCollection();
            if (minutes > 0 && run % 200 === 0) console.log(`${name} on ${database.name}: ${count} requests`);
          }
        } finally {
          sender.close();
        }
        expect(count).toBeGreaterThanOrEqual(batches * batch);
        // Without accepted requests, the test would prove nothing.
        const accepted = [...sender.statuses.keys()].filter((key) => / 2\d\d$/.test(key));
        expect(accepted.length).toBeGreaterThan(findOperations(contract).length / 2);
        if (heapBefore > 0) expect(heapAfterCollection() - heapBefore).toBeLessThan(heapGrowthMax);
        if (minutes > 0) console.log(`${name} on ${database.name}: ${count} requests`);
      },
    );
  });
}
