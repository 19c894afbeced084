// Every user of the sandbox ends as docs/connectors.md says: what is asked, how it ends, and what a refresh finds
// later. Their screens are tested in a browser (test/widget); `large` is read in test/api.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient, type Transaction, unwrap } from '../../client/index.ts';
import { days, seconds } from '../../src/clock.ts';
import { type DatabaseKind, databases } from '../support/databases.ts';
import {
  driveToEnd,
  type LinkOptions,
  link,
  openLinkSession,
  startService,
  type TestService,
} from '../support/testService.ts';
import { eventually } from './fixture.ts';

type LinkOutcome = { state: string; reason?: string; retryTarget?: string };

/** What each user is asked, and how linking ends. */
const users: Record<string, { asked: string[]; answers?: string[]; ends: LinkOutcome; accounts?: string[] }> =
  {
    good: {
      asked: [],
      ends: { state: 'finished' },
      accounts: ['Everyday Checking', 'Rainy Day Savings', 'Sandbox Credit Card'],
    },
    otp: { asked: ['code'], answers: ['123456'], ends: { state: 'finished' } },
    question: { asked: ['question'], answers: ['blue'], ends: { state: 'finished' } },
    choose: { asked: ['choice', 'code'], answers: ['phone', '123456'], ends: { state: 'finished' } },
    push: { asked: ['approval'], ends: { state: 'finished' } },
    'push-denied': {
      asked: ['approval'],
      ends: { state: 'failed', reason: 'denied', retryTarget: 'credentials' },
    },
    captcha: { asked: ['image'], answers: ['7G4K'], ends: { state: 'finished' } },
    locked: { asked: [], ends: { state: 'failed', reason: 'locked', retryTarget: 'institution' } },
    down: { asked: [], ends: { state: 'failed', reason: 'institution_down', retryTarget: 'credentials' } },
    slow: { asked: [], ends: { state: 'finished' }, accounts: ['Everyday Checking'] },
    empty: { asked: [], ends: { state: 'failed', reason: 'no_accounts', retryTarget: 'institution' } },
    expires: { asked: [], ends: { state: 'finished' } },
    moves: { asked: [], ends: { state: 'finished' } },
    rotates: { asked: [], ends: { state: 'finished' } },
    twins: { asked: [], ends: { state: 'finished' } },
    usd: { asked: [], ends: { state: 'finished' } },
    jpy: { asked: [], ends: { state: 'finished' } },
    bhd: { asked: [], ends: { state: 'finished' } },
  };

/** Links one user and notes every challenge on the way; an approval is asked about until it is given. */
const driveUser = async (service: TestService, username: string) => {
  const asked: string[] = [];
  const answers = [...(users[username]!.answers ?? [])];
  const session = await openLinkSession(service);
  await session.step({ kind: 'consent' });
  await session.step({ kind: 'selectInstitution', institutionId: 'sandbox-bank' });
  await session.step({ kind: 'credentials', values: { username, password: 'password' } });
  while (session.view.state === 'challenge') {
    const { kind } = session.view.challenge;
    if (asked.at(-1) !== kind) asked.push(kind);
    if (kind === 'approval') service.advance(seconds(1));
    await session.step({ kind: 'answer', answer: kind === 'approval' ? '' : answers.shift()! });
  }
  const view = await driveToEnd(session);
  return { asked, view };
};

const exactClient = (service: TestService, scopedToken: string | undefined) =>
  createClient({
    ...{ baseUrl: service.url, apiKey: service.application.apiKey, scopedToken },
    exactAmounts: true,
  });

type ReadTransactions = Transaction<string>[];

/** One user's connection, to be read before and after a refresh. */
const linkedUser = async (service: TestService, options: LinkOptions) => {
  const linked = await link(service, options);
  const client = exactClient(service, linked.scopedToken);
  const accountId = linked.accounts[0]!.id;
  const read = async (): Promise<ReadTransactions> =>
    (await unwrap(client.GET('/accounts/{accountId}/transactions', { params: { path: { accountId } } })))
      .transactions;
  const rowOf = () => service.service.db.read('connections').where({ id: linked.connectionId }).first();
  /** Lets a day pass and waits for the refresh that comes with it. */
  const refreshed = async (): Promise<void> => {
    const { refreshed_at } = await rowOf();
    service.advance(days(1));
    await eventually(async () => expect((await rowOf()).refreshed_at).not.toBe(refreshed_at));
  };
  return { linked, client, read, rowOf, refreshed };
};

const refreshTests = (chosen: () => TestService): void => {
  test('expires: imported, refused at the first refresh, and well again once reconnected', async () => {
    const service = chosen();
    const { linked, read, rowOf } = await linkedUser(service, { username: 'expires' });
    const before = await read();
    expect(before.length).toBeGreaterThan(100);
    service.advance(days(1));
    await eventually(async () => expect((await rowOf()).reconnect_reason).toBe('wrong_credentials'));
    expect(await read()).toEqual(before);
    const again = await openLinkSession(service, { connectionId: linked.connectionId });
    expect((await driveToEnd(again, { username: 'expires' })).state).toBe('finished');
    expect((await rowOf()).reconnect_reason).toBe(null);
    const now = await read();
    expect(now.length).toBeGreaterThanOrEqual(before.length);
    expect(before.every(({ id }) => now.some((entry) => entry.id === id))).toBe(true);
  });

  test('moves: each refresh brings new entries, posts some with another text, and voids one', async () => {
    const { read, refreshed } = await linkedUser(chosen(), { username: 'moves' });
    const before = await read();
    await refreshed();
    const now = new Map((await read()).map((entry) => [entry.id, entry]));
    const was = new Map(before.map((entry) => [entry.id, entry]));
    const fresh = [...now.values()].filter(({ id }) => !was.has(id));
    const posted = before.filter(
      ({ id, status }) => status === 'pending' && now.get(id)?.status === 'posted',
    );
    const voided = [...now.values()].filter(({ status }) => status === 'void');
    expect(fresh.length).toBeGreaterThan(0);
    expect(posted.some(({ id, description }) => now.get(id)!.description !== description)).toBe(true);
    expect(voided).toHaveLength(1);
    // Nothing is ever silently removed.
    expect(before.filter(({ id }) => !now.has(id))).toEqual([]);
  });

  test('rotates: each refresh has other ids at the bank, and the same entries here', async () => {
    const { read, refreshed } = await linkedUser(chosen(), { username: 'rotates' });
    const before = await read();
    await refreshed();
    const now = new Map((await read()).map((entry) => [entry.id, entry]));
    const settled = before.filter(({ status }) => status === 'posted');
    expect(settled.length).toBeGreaterThan(100);
    expect(settled.map(({ id }) => now.get(id))).toEqual(settled);
    const texts = [...now.values()].map(({ date, amount, reference }) => `${date} ${amount} ${reference}`);
    expect(new Set(texts).size).toBe(texts.length);
  });

  test('twins: two entries that are the same stay two', async () => {
    const { read, refreshed } = await linkedUser(chosen(), { username: 'twins' });
    const twins = (entries: ReadTransactions): string[][] =>
      [
        ...Map.groupBy(entries, ({ date, amount, description, reference }) =>
          [date, amount, description, reference].join(),
        ).values(),
      ]
        .filter((same) => same.length > 1)
        .map((same) => same.map(({ id }) => id).sort());
    const before = twins(await read());
    expect(before.map((same) => same.length)).toEqual([2]);
    await refreshed();
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
    let visits: Map<string, Awaited<ReturnType<typeof driveUser>>>;
    beforeAll(async () => {
      service = await startService({ database, slowStepMs: 200, limits: { importRetrySeconds: 0.1 } });
      // All at once, because some of them let one wait.
      const made = await Promise.all(
        Object.keys(users).map(async (username) => [username, await driveUser(service, username)] as const),
      );
      visits = new Map(made);
    }, 180_000);
    afterAll(() => service.close());

    test.each(Object.keys(users))('%s', (username) => {
      const { asked, ends, accounts } = users[username]!;
      const { asked: seen, view } = visits.get(username)!;
      expect(seen).toEqual(asked);
      expect(view).toMatchObject(ends);
      if (view.state !== 'finished') return;
      expect(view.result.scopedToken).toBeDefined();
      if (accounts) expect(view.result.accounts.map(({ name }) => name)).toEqual(accounts);
    });

    test.each(Object.entries(decimals))(
      '%s has money with as many decimals as its currency',
      async (username, form) => {
        const { client, linked, read } = await linkedUser(service, { username });
        const [currency, amounts] = form;
        for (const { amount } of await read()) expect(amount).toMatch(amounts);
        const params = { path: { connectionId: linked.connectionId } };
        const { accounts } = await unwrap(client.GET('/connections/{connectionId}/accounts', { params }));
        for (const account of accounts) {
          expect(account.currency).toBe(currency);
          expect(account.balance.current).toMatch(amounts);
        }
        // A card that owes.
        const card = accounts.find(({ type }) => type === 'credit');
        expect(card?.balance.current).toMatch(/^-/);
      },
    );

    test('a username that nobody has, and a wrong password, are refused with the tries that are left', async () => {
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

    test('wrong answers are counted, and then the sign-in begins anew', async () => {
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
        retryTarget: 'credentials',
      });
      expect(await session.step({ kind: 'retry' })).toMatchObject({ state: 'credentials' });
    });

    describe('refreshed', () => refreshTests(() => service));
  });
};

for (const database of databases) describeUsers(database);
