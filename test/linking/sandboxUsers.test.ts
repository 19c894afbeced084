// Every sandbox user behaves as described in connectors/sandbox/README.md: its challenges, and the results of linking and refreshes.
// Their screens are tested in a browser (test/widget), and the user `large` in test/http/api.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient, type Transaction, unwrap } from '../../client/index.ts';
import { days, seconds } from '../../src/platform/values/clock.ts';
import { type DatabaseKind, oneDatabase } from '../support/databases.ts';
import {
  driveToEnd,
  type LinkOptions,
  link,
  openLinkSession,
  startService,
  type TestService,
} from '../support/testService.ts';
import { eventually } from './fixture.ts';

type LinkOutcome = { state: string; reason?: string; retryTargets?: string[] };

const finished: LinkOutcome = { state: 'finished' };
const failed = (reason: string): LinkOutcome => ({
  ...{ state: 'failed', reason, retryTargets: ['credentials', 'institution'] },
});

type User = { challenges?: string[]; answers?: string[]; outcome: LinkOutcome; accounts?: string[] };

/** Each user's challenges, and the result of linking. */
const users: Record<string, User> = {
  good: { outcome: finished, accounts: ['Everyday Checking', 'Rainy Day Savings', 'Sandbox Credit Card'] },
  otp: { challenges: ['code'], answers: ['123456'], outcome: finished },
  question: { challenges: ['question'], answers: ['blue'], outcome: finished },
  choose: { challenges: ['choice', 'code'], answers: ['phone', '123456'], outcome: finished },
  push: { challenges: ['approval'], outcome: finished },
  'push-denied': { challenges: ['approval'], outcome: failed('denied') },
  captcha: { challenges: ['image'], answers: ['7G4K'], outcome: finished },
  locked: { outcome: failed('locked') },
  down: { outcome: failed('institution_down') },
  slow: { outcome: finished, accounts: ['Everyday Checking'] },
  empty: { outcome: failed('no_accounts') },
  expires: { outcome: finished },
  moves: { outcome: finished },
  'rate-limited': { outcome: finished },
  'consent-90': { outcome: finished },
  'new-account': { outcome: finished, accounts: ['Everyday Checking'] },
  forgetful: { outcome: finished },
  edits: { outcome: finished },
  rotates: { outcome: finished },
  twins: { outcome: finished },
  usd: { outcome: finished },
  jpy: { outcome: finished },
  bhd: { outcome: finished },
};

/** Links one user and records its challenges; polls until an approval is given. */
const driveUser = async (service: TestService, username: string) => {
  const challenges: string[] = [];
  const answers = [...(users[username]!.answers ?? [])];
  const session = await openLinkSession(service);
  await session.step({ kind: 'consent' });
  await session.step({ kind: 'selectInstitution', institutionId: 'sandbox-bank' });
  await session.step({ kind: 'credentials', values: { username, password: 'password' } });
  while (session.view.state === 'challenge') {
    const { kind } = session.view.challenge;
    if (challenges.at(-1) !== kind) challenges.push(kind);
    if (kind === 'approval') service.advance(seconds(1));
    await session.step({ kind: 'answer', answer: kind === 'approval' ? '' : answers.shift()! });
  }
  const view = await driveToEnd(session, { username });
  return { challenges, view };
};

const exactClient = (service: TestService, scopedToken: string | undefined) =>
  createClient({
    ...{ baseUrl: service.url, apiKey: service.application.apiKey, scopedToken },
    exactAmounts: true,
  });

type Transactions = Transaction<string>[];

/** Links one user, to read its transactions before and after a refresh. */
const linkedUser = async (service: TestService, options: LinkOptions) => {
  const linked = await link(service, options);
  const client = exactClient(service, linked.scopedToken);
  const accountId = linked.accounts[0]!.id;
  const read = async (): Promise<Transactions> =>
    (await unwrap(client.GET('/accounts/{accountId}/transactions', { params: { path: { accountId } } })))
      .transactions;
  const rowOf = async () =>
    (await service.service.db.read('connections').where({ id: linked.connectionId }).first())!;
  /** Advances a day and waits for the refresh. */
  const refresh = async (): Promise<void> => {
    const { refreshedAt } = await rowOf();
    service.advance(days(1));
    await eventually(async () => expect((await rowOf()).refreshedAt).not.toBe(refreshedAt));
  };
  return { linked, client, read, rowOf, refresh };
};

const refreshTests = (getService: () => TestService): void => {
  test('moves: each refresh adds transactions, posts some with another description, and voids one', async () => {
    const { read, refresh } = await linkedUser(getService(), { username: 'moves' });
    const before = await read();
    await refresh();
    const after = new Map((await read()).map((transaction) => [transaction.id, transaction]));
    const idsBefore = new Set(before.map(({ id }) => id));
    const added = [...after.values()].filter(({ id }) => !idsBefore.has(id));
    const posted = before.filter(
      ({ id, status }) => status === 'pending' && after.get(id)?.status === 'posted',
    );
    const voided = [...after.values()].filter(({ status }) => status === 'void');
    expect(added.length).toBeGreaterThan(0);
    expect(posted.some(({ id, description }) => after.get(id)!.description !== description)).toBe(true);
    expect(voided).toHaveLength(1);
    // No transaction disappears.
    expect(before.filter(({ id }) => !after.has(id))).toEqual([]);
  });

  test('forgetful: a bank that loses most of its history for a day changes nothing', async () => {
    const { read, refresh, rowOf } = await linkedUser(getService(), { username: 'forgetful' });
    const posted = (await read()).filter(({ status }) => status === 'posted');
    const doubted: number[] = [];
    for (let day = 0; day < 2; day++) {
      await refresh();
      doubted.push((await rowOf()).doubtedReadings);
      const after = new Map((await read()).map((transaction) => [transaction.id, transaction]));
      expect(posted.map(({ id }) => after.get(id))).toEqual(posted);
    }
    expect(doubted.at(-1)).toBeGreaterThan(0);
  });

  test('edits: posted transactions keep their ids when a bank without ids changes text and day', async () => {
    const { read, refresh } = await linkedUser(getService(), { username: 'edits' });
    const before = (await read()).filter(({ status }) => status === 'posted');
    const changes: string[] = [];
    for (let day = 0; day < 2; day++) {
      await refresh();
      const after = new Map((await read()).map((transaction) => [transaction.id, transaction]));
      for (const { id, description, amount, date } of before) {
        expect(after.get(id)).toMatchObject({ amount, status: 'posted' });
        if (after.get(id)!.description !== description && after.get(id)!.date !== date) changes.push(id);
      }
      expect([...after.values()].filter(({ status }) => status === 'void')).toEqual([]);
    }
    expect(changes.length).toBeGreaterThan(2);
  });

  test('rotates: the bank’s ids change with each refresh, and ours stay', async () => {
    const { read, refresh } = await linkedUser(getService(), { username: 'rotates' });
    const before = await read();
    await refresh();
    const after = new Map((await read()).map((transaction) => [transaction.id, transaction]));
    const posted = before.filter(({ status }) => status === 'posted');
    expect(posted.length).toBeGreaterThan(100);
    expect(posted.map(({ id }) => after.get(id))).toEqual(posted);
    const texts = [...after.values()].map(({ date, amount, reference }) => `${date} ${amount} ${reference}`);
    expect(new Set(texts).size).toBe(texts.length);
  });

  test('twins: two equal transactions stay two', async () => {
    const { read, refresh } = await linkedUser(getService(), { username: 'twins' });
    const twins = (transactions: Transactions): string[][] =>
      [
        ...Map.groupBy(transactions, ({ date, amount, description, reference }) =>
          [date, amount, description, reference].join(),
        ).values(),
      ]
        .filter((group) => group.length > 1)
        .map((group) => group.map(({ id }) => id).sort());
    const before = twins(await read());
    expect(before.map((group) => group.length)).toEqual([2]);
    await refresh();
    expect(twins(await read())).toEqual(before);
  });
};

const decimals: Record<string, [currency: string, form: RegExp]> = {
  good: ['EUR', /^-?\d+\.\d\d$/],
  usd: ['USD', /^-?\d+\.\d\d$/],
  jpy: ['JPY', /^-?\d+$/],
  bhd: ['BHD', /^-?\d+\.\d\d\d$/],
};

const describeUsers = (database: DatabaseKind): void => {
  describe(`the users of the sandbox on ${database.name}`, () => {
    let service: TestService;
    let results: Map<string, Awaited<ReturnType<typeof driveUser>>>;
    beforeAll(async () => {
      service = await startService({ database, slowStepMs: 200, limits: { importRetrySeconds: 0.1 } });
      // Concurrently, because some users are slow.
      const linked = await Promise.all(
        Object.keys(users).map(async (username) => [username, await driveUser(service, username)] as const),
      );
      results = new Map(linked);
    }, 180_000);
    afterAll(() => service.close());

    test.each(Object.keys(users))('%s', (username) => {
      const { challenges = [], outcome, accounts } = users[username]!;
      const { challenges: actual, view } = results.get(username)!;
      expect(actual).toEqual(challenges);
      expect(view).toMatchObject(outcome);
      if (view.state !== 'finished') return;
      expect(view.result.scopedToken).toBeDefined();
      if (accounts) expect(view.result.accounts.map(({ name }) => name)).toEqual(accounts);
    });

    test.each(Object.entries(decimals))(
      '%s has amounts with the decimals of the currency',
      async (username, [currency, amounts]) => {
        const { client, linked, read } = await linkedUser(service, { username });
        for (const { amount } of await read()) expect(amount).toMatch(amounts);
        const params = { path: { connectionId: linked.connectionId } };
        const { accounts } = await unwrap(client.GET('/connections/{connectionId}/accounts', { params }));
        for (const account of accounts) {
          expect(account.currency).toBe(currency);
          expect(account.balance.current).toMatch(amounts);
        }
        // A credit card with a debt.
        const card = accounts.find(({ type }) => type === 'credit');
        expect(card?.balance.current).toMatch(/^-/);
      },
    );

    test('an unknown username and a wrong password are refused, with the attempts that are left', async () => {
      const session = await openLinkSession(service);
      await session.step({ kind: 'consent' });
      await session.step({ kind: 'selectInstitution', institutionId: 'sandbox-bank' });
      const attempt = (values: Record<string, string>) => session.step({ kind: 'credentials', values });
      expect(await attempt({ username: 'nobody', password: 'password' })).toMatchObject({
        ...{ state: 'credentials', error: { reason: 'wrong_credentials' } },
      });
      expect(await attempt({ username: 'good', password: 'wrong' })).toMatchObject({
        ...{ state: 'credentials', error: { reason: 'wrong_credentials', attemptsLeft: 2 } },
      });
      expect(await attempt({ username: 'good', password: 'password1' })).toMatchObject({ state: 'accounts' });
    });

    test('after too many wrong answers the sign-in must start over', async () => {
      const session = await openLinkSession(service);
      await driveToEnd(session, { username: 'otp', answers: [] });
      const answer = () => session.step({ kind: 'answer', answer: '000000' });
      expect(await answer()).toMatchObject({
        state: 'challenge',
        error: { reason: 'wrong_answer', attemptsLeft: 2 },
      });
      expect(await answer()).toMatchObject({ error: { attemptsLeft: 1 } });
      expect(await answer()).toMatchObject({
        state: 'failed',
        reason: 'wrong_answer',
        retryTargets: ['credentials', 'institution'],
      });
      expect(await session.step({ kind: 'retry' })).toMatchObject({ state: 'credentials' });
    });

    describe('after a refresh', () => refreshTests(() => service));
  });
};

for (const database of oneDatabase) describeUsers(database);
