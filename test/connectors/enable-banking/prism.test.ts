// The Enable Banking connector against Prism: its requests match the API description, and it reads or refuses Prism's responses.
import { BankRefused, BankUnreachable, type ConnectorModule } from '@bank-connection/connector-kit';
import { readHistory } from '@bank-connection/connector-kit/conformance';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { encodeState } from '../../../connectors/enable-banking/state.ts';
import {
  fakeAccount,
  fakeTransaction,
} from '../../../connectors/enable-banking/test/fakeProvider/account.ts';
import { fakeBank } from '../../../connectors/enable-banking/test/fakeProvider/bank.ts';
import {
  historyOf,
  iban,
  link,
  makeModule,
  read,
  refresh,
  startService,
  today,
  user,
} from '../../../connectors/enable-banking/test/fixture.ts';
import { withValidation } from '../../../connectors/kit/withValidation.ts';
import { readContract } from '../../../src/interfaces/http/contract.ts';
import { startPrismProxy } from '../../support/prismProxy.ts';

const source = 'connectors/enable-banking/openapi.yaml';

test('every request of a link, a refresh, a revocation, the directory and the check matches the description', async () => {
  const account = fakeAccount(iban, [fakeTransaction('a', today), fakeTransaction('b', today)], {
    pageSize: 1,
  });
  const { provider, ...service } = await startService([fakeBank('First Bank', { ada: [account] })]);
  const prism = await startPrismProxy(provider.url, source);
  onTestFinished(prism.close);
  const proxied = { ...service, provider, module: makeModule({ ...provider, url: prism.url }) };
  const signedIn = await link(proxied);
  for (const reading of [
    await read({ ...proxied, signedIn }),
    await refresh({ ...proxied, signedIn }, today),
  ]) {
    expect((await historyOf(reading)).transactions).toHaveLength(2);
    await reading.balance!(reading.accounts[0]!.id);
  }
  await proxied.module.connector.revoke!({ deviceToken: signedIn.deviceToken }, proxied.call());
  await proxied.module.check!(proxied.call());
  const operations = [undefined, 'ada'].flatMap((name) => provider.requestsOf(name));
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(7);
  expect(prism.violations()).toEqual([]);
});

type Mock = { dynamic: boolean; exampleKey?: string; code?: number; seed?: string };

// Prism has its own log level.
const logger = Object.assign(pino({ level: 'silent' }), { success: () => {} });

const startPrismMock = async (mock: Mock): Promise<string> => {
  const server = createServer(await getHttpOperationsFromSpec(readContract(source)), {
    ...{ cors: false, components: { logger } },
    config: {
      ...{ isProxy: false as const, upstreamProxy: undefined, errors: false, mock },
      ...{ checkSecurity: true, validateRequest: true, validateResponse: true },
    },
  });
  onTestFinished(() => server.close());
  return server.listen(0, '127.0.0.1');
};

/** The outcome of each call in a link, a reading and a revocation: read, or the reason for the refusal. */
const outcomesOf = async ({ connector: unchecked, directory, check }: ConnectorModule, service: Started) => {
  const { call } = service;
  const connector = withValidation(unchecked);
  const outcomes: Record<string, string> = {};
  const attempt = async <Result>(name: string, run: () => Promise<Result>): Promise<Result | undefined> => {
    try {
      const result = await run();
      outcomes[name] = 'read';
      return result;
    } catch (error) {
      if (!(error instanceof BankRefused || error instanceof BankUnreachable)) throw error;
      outcomes[name] = error.reason;
      return undefined;
    }
  };
  await attempt('directory', () => directory!(call()));
  await attempt('check', () => check!(call()));
  const uses = ['personal' as const];
  const bank = { name: 'Bank', country: 'DE', uses, seconds: 86_400, psuHeaders: [], methods: [] };
  const institution = { id: 'bank-de', ref: JSON.stringify(bank) };
  const context = call(user);
  const page = await attempt('page', () =>
    connector.signIn({ institution, credentials: {}, attended: true }, context),
  );
  const challengeState =
    page?.kind === 'challenge'
      ? page.challengeState
      : encodeState('page', { bank, state: context.returnTo!.state });
  const answer = `code=1&state=${context.returnTo!.state}`;
  await attempt('session', () => connector.answer({ challengeState, answer }, call(user)));
  const access = encodeState('session', {
    ...{ id: crypto.randomUUID(), psuHeaders: [] },
    ...{ authorizedAt: context.now.toISOString(), validUntil: '2100-01-01T00:00:00.000Z' },
    accounts: [{ uid: crypto.randomUUID(), id: 'a', name: 'A', type: 'other', number: '', currency: 'EUR' }],
  });
  const reading = await connector.read(access, {}, call());
  await attempt('history', async () => readHistory(await reading.history('a')));
  await attempt('balance', () => reading.balance!('a'));
  await attempt('revoke', () => connector.revoke!({ access }, call()));
  return outcomes;
};
type Started = Awaited<ReturnType<typeof startService>>;

const all = (outcome: string) => ({
  ...{ directory: outcome, check: outcome, page: outcome, session: outcome },
  ...{ history: outcome, balance: outcome, revoke: outcome },
});

test.each<[mock: Mock, outcomes: object]>([
  [{ dynamic: false }, all('read')],
  [{ dynamic: false, exampleKey: 'plainHttp' }, { page: 'read' }],
  [{ dynamic: false, exampleKey: 'oddRows' }, { history: 'read' }],
  // The next page is identical.
  [{ dynamic: false, exampleKey: 'emptyPage' }, { history: 'incomplete' }],
  // The first code in the description means "access denied", which the check then reports.
  [
    { dynamic: false, code: 403 },
    { ...all('operator_action_required'), check: 'read' },
  ],
])('the answers of Prism with %j are read, or refused with a reason', async (mock, expected) => {
  const service = await startService([]);
  const module = makeModule({ ...service.provider, url: await startPrismMock(mock) });
  expect(await outcomesOf(module, service)).toMatchObject(expected);
});

test('random responses from the description are read, or refused with a reason', async () => {
  const service = await startService([]);
  const found = new Set<string>();
  for (let seed = 0; seed < 20; seed++) {
    const url = await startPrismMock({ dynamic: true, seed: String(seed) });
    const outcomes = await outcomesOf(makeModule({ ...service.provider, url }), service);
    for (const [name, outcome] of Object.entries(outcomes)) found.add(`${name}: ${outcome}`);
  }
  // Amounts have random currencies, which differ from page to page.
  expect([...found].filter((one) => !one.endsWith(': read'))).toEqual(['history: incomplete']);
});
