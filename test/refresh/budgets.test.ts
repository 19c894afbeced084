// A bank is polled no more often than it allows, by its daily budget or by its response to too many requests.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { Connector } from '../../connectors/kit/contract.ts';
import { LeaseLost } from '../../src/flows/refresh/jobs.ts';
import { startWorker, type WorkerLog } from '../../src/flows/refresh/worker.ts';
import { seconds } from '../../src/platform/values/clock.ts';
import { BankUnreachable } from '../../src/platform/values/errors.ts';
import { makeRandom } from '../faults/killRandomly.ts';
import { cliSettingsOf, runCli } from '../support/cli.ts';
import { type databases, oneDatabase } from '../support/databases.ts';
import {
  makeScriptedConnector,
  northBank,
  scriptedAccount,
  southBank,
} from '../support/scriptedConnector.ts';
import {
  driveToEnd,
  link,
  openLinkSession,
  startService,
  type TestApplication,
  type TestService,
} from '../support/testService.ts';

const hour = seconds(3600);
const day = 24 * hour;
const perDay = 4;
const wait = { timeout: 30_000, interval: 5 };

/** The unattended requests to a login's bank, and its responses. */
type Bank = {
  /** The times of the readings of each account. */
  reads: Map<string, number[]>;
  signIns: number;
  /** May throw an error in place of the response about an account or to the sign-in. */
  onRead?(accountId: string): void;
  onSignIn?(): void;
};

const restingBank = 'resting-bank';

/** South Bank and the resting bank have no daily limits, but the resting bank pauses for three hours. */
const startCountingBank = async (database: (typeof databases)[number]) => {
  const scripted = makeScriptedConnector();
  const banks = new Map<string, Bank>();
  const bankOf = (username: string): Bank => {
    const bank = banks.get(username) ?? { reads: new Map<string, number[]>(), signIns: 0 };
    banks.set(username, bank);
    return bank;
  };
  const { connector } = scripted.module;
  const [north, south] = scripted.module.institutions;
  const institutions = [
    north!,
    { ...south!, limits: { unattendedReadsPerDay: 100 } },
    {
      ...south!,
      id: restingBank,
      limits: { unattendedReadsPerDay: Number.POSITIVE_INFINITY, restSeconds: 10_800 },
    },
  ];
  const counting: Connector = {
    ...connector,
    signIn: async (request, context) => {
      const bank = bankOf(request.credentials.username!);
      bank.signIns += 1;
      bank.onSignIn?.();
      const signedIn = await connector.signIn(request, context);
      return request.attended || signedIn.kind !== 'signedIn'
        ? signedIn
        : { ...signedIn, access: `${signedIn.access} unattended` };
    },
    read: async (access, request, context) => {
      const [username = '', unattended] = access.split(' ');
      const reading = await connector.read(username, request, context);
      const history: typeof reading.history = async (accountId) => {
        const { reads, onRead } = bankOf(username);
        if (!unattended) return reading.history(accountId);
        reads.set(accountId, [...(reads.get(accountId) ?? []), context.now.getTime()]);
        onRead?.(accountId);
        return reading.history(accountId);
      };
      return { ...reading, history };
    },
  };
  const service = await startService({
    ...{ database, connectors: [{ institutions, connector: counting }] },
    limits: { workerPollMs: 5, importRetrySeconds: 0.05 },
  });
  const application = await service.addApplication({ environment: 'production' });
  return { service, application, scripted, bankOf };
};

/** The maximum number of reads of one account in any 24 hours. */
const mostInADay = (times: readonly number[]): number =>
  Math.max(0, ...times.map((start) => times.filter((time) => time >= start && time < start + day).length));

for (const database of oneDatabase) {
  describe(`the budget of a bank on ${database.name}`, () => {
    test('holds for each account over 30 days with failures, lags, limits, kills and two workers', async () => {
      const { service, application, scripted, bankOf } = await startCountingBank(database);
      try {
        const { db, clock, registry, config, jobHandlers } = service.service;
        const ignore = () => {};
        const log: WorkerLog = { done: ignore, failed: ignore, dropped: ignore, queueFailed: ignore };
        const second = startWorker({ db, clock, registry, limits: config.limits, log }, jobHandlers!);
        const random = makeRandom(1);
        const chance = (share: number) => random() < share;
        for (const username of ['ada', 'bob']) {
          const accounts = ['first', 'second', 'third'].map((id) => scriptedAccount({ id, number: id }));
          scripted.setAccounts(username, accounts);
          const bank = bankOf(username);
          bank.onSignIn = () => {
            if (chance(0.1)) throw new BankUnreachable('down');
            // As after a kill, the worker does nothing more, and the job's lease expires.
            if (chance(0.1)) throw new LeaseLost();
          };
          bank.onRead = (accountId) => {
            if (accountId === 'second' && chance(0.5)) throw new BankUnreachable('down');
            if (chance(0.05)) throw new LeaseLost();
            if (chance(0.05)) throw new BankUnreachable('rate_limited', { scope: 'account' });
            if (chance(0.05)) throw new BankUnreachable('rate_limited');
          };
          const values = { username, institutionId: northBank, applicationId: application.id };
          await link(service, { ...values, externalUserId: username }).catch(() => link(service, values));
        }
        for (let step = 0; step < 30 * 12; step++) {
          service.advance(2 * hour * random() * 2);
          await vi.waitUntil(
            async () => {
              const at = clock.real().toISOString();
              return !(await db.read('jobs').where('dueAt', '<=', at).whereNull('leaseToken').first('kind'));
            },
            { timeout: 30_000, interval: 5 },
          );
          await sleep(5);
        }
        await second.stop();
        for (const username of ['ada', 'bob']) {
          for (const [accountId, times] of bankOf(username).reads) {
            expect(mostInADay(times), `${username} ${accountId}`).toBeLessThanOrEqual(perDay);
            expect(times.length, `${username} ${accountId}`).toBeGreaterThan(30);
          }
        }
      } finally {
        await service.close();
      }
    });
  });
}

for (const database of oneDatabase) {
  describe(`a bank that was asked too often on ${database.name}`, () => {
    let service: TestService;
    let application: TestApplication;
    let scripted: Awaited<ReturnType<typeof startCountingBank>>['scripted'];
    let bankOf: (username: string) => Bank;
    beforeAll(async () => {
      ({ service, application, scripted, bankOf } = await startCountingBank(database));
    });
    afterAll(() => service.close());

    const linkAt = async (username: string, institutionId: string, accountIds = ['main']) => {
      scripted.setAccounts(
        username,
        accountIds.map((id) => scriptedAccount({ id, number: `${username} ${id}` })),
      );
      return link(service, { username, institutionId, applicationId: application.id });
    };
    const jobOf = async ({ connectionId }: { connectionId: string }) =>
      (await service.service.db.read('jobs').where({ connectionId }).first('*'))!;
    const now = () => service.service.clock.real().getTime();
    const run = (...args: string[]) => runCli(cliSettingsOf(service.service.config), ...args);
    const limitOnce = (bank: Bank, limit: ConstructorParameters<typeof BankUnreachable>[1]) => {
      bank.onSignIn = () => {
        bank.onSignIn = undefined;
        throw new BankUnreachable('rate_limited', limit);
      };
    };
    const untilLimited = (linked: { connectionId: string }) =>
      expect.poll(async () => (await jobOf(linked)).lastFailure, wait).toBe('institution_rate_limited');

    /** Waits until its refresh has ended, because that schedules the next one. */
    const untilEnded = (linked: { connectionId: string }) =>
      expect.poll(async () => (await jobOf(linked)).leaseToken, wait).toBeNull();

    test('is not polled before the time that it returned, not even on request, and never needs a reconnect', async () => {
      const linked = await linkAt('ada', northBank);
      const bank = bankOf('ada');
      service.advance(7 * hour);
      const until = new Date(now() + 3 * day);
      limitOnce(bank, { until });
      service.advance(hour);
      await untilLimited(linked);
      expect((await jobOf(linked)).dueAt).toBe(until.toISOString());
      const { signIns } = bank;
      service.advance(2 * day);
      const refused = await run('refresh', 'run', '--connection', linked.connectionId);
      expect(refused.err).toContain(
        `cannot be refreshed before ${until.toISOString()}: its bank limits requests.`,
      );
      expect((await jobOf(linked)).dueAt).toBe(until.toISOString());
      expect(bank.signIns).toBe(signIns);
      expect((await run('refresh', 'status')).out).toMatch(/^Paused +1 connection rate-limited by banks$/m);
      expect((await run('connections', 'show', linked.connectionId, '--json')).json()).toMatchObject({
        ...{ state: 'active', refresh: { pausedUntil: until.toISOString() } },
      });
      service.advance(day);
      await expect.poll(() => bank.signIns, wait).toBe(signIns + 1);
    });

    test('is polled again after an hour, then after doubling pauses, if it returns no time', async () => {
      const linked = await linkAt('bob', southBank);
      const pauses: number[] = [];
      for (let attempt = 0; attempt < 6; attempt++) {
        limitOnce(bankOf('bob'), {});
        service.advance(attempt === 0 ? 7 * hour : Date.parse((await jobOf(linked)).dueAt) - now());
        await expect.poll(async () => (await jobOf(linked)).attempts, wait).toBe(attempt + 1);
        await untilEnded(linked);
        pauses.push(Math.round((Date.parse((await jobOf(linked)).dueAt) - now()) / hour));
      }
      expect(pauses).toEqual([1, 2, 4, 8, 16, 24]);
    });

    test('pauses all connections and links of its institution, and no other', async () => {
      const [eve, ian, joe] = [
        await linkAt('eve', southBank),
        await linkAt('ian', southBank),
        await linkAt('joe', northBank),
      ];
      limitOnce(bankOf('eve'), { scope: 'institution', until: new Date(now() + 2 * day) });
      await run('refresh', 'run', '--connection', eve.connectionId);
      await untilLimited(eve);
      const [ians, joes] = [bankOf('ian').signIns, bankOf('joe').signIns];
      service.advance(8 * hour);
      await untilLimited(ian);
      await expect.poll(() => bankOf('joe').signIns, wait).toBe(joes + 1);
      expect(bankOf('ian').signIns).toBe(ians);
      const session = await openLinkSession(service, { applicationId: application.id });
      const view = await driveToEnd(session, { username: 'ian', institutionId: southBank });
      expect(view).toMatchObject({ state: 'failed', reason: 'institution_down' });
      expect(bankOf('ian').signIns).toBe(ians);
      service.advance(2 * day);
      await expect.poll(() => bankOf('ian').signIns, wait).toBe(ians + 1);
      expect((await jobOf(joe)).lastFailure).toBeNull();
    });

    test('is polled about the other accounts while it pauses one', async () => {
      const linked = await linkAt('kim', northBank, ['first', 'second']);
      const bank = bankOf('kim');
      const until = now() + 20 * hour;
      bank.onRead = (accountId) => {
        if (accountId !== 'first' || now() >= until) return;
        throw new BankUnreachable('rate_limited', { scope: 'account', until: new Date(until) });
      };
      const countOf = (accountId: string) => bank.reads.get(accountId)?.length ?? 0;
      service.advance(7 * hour);
      await expect.poll(() => countOf('second'), wait).toBe(1);
      await untilEnded(linked);
      service.advance(7 * hour);
      await expect.poll(() => countOf('second'), wait).toBe(2);
      await untilEnded(linked);
      expect(countOf('first')).toBe(1);
      service.advance(7 * hour);
      await expect.poll(() => countOf('first'), wait).toBe(2);
    });

    test('is polled no more than its budget allows after kills, not even to sign in', async () => {
      const linked = await linkAt('nia', northBank);
      const bank = bankOf('nia');
      const attended = bank.signIns;
      bank.onRead = () => {
        throw new LeaseLost();
      };
      service.advance(7 * hour);
      for (let reads = 1; reads <= perDay; reads++) {
        await expect.poll(() => bank.reads.get('main')?.length, wait).toBe(reads);
        // The lease of the job expires.
        service.advance(seconds(600));
      }
      await untilEnded(linked);
      expect(bank.signIns).toBe(attended + perDay);
      expect(Date.parse((await jobOf(linked)).dueAt)).toBeGreaterThan(bank.reads.get('main')![0]! + day);
      bank.onRead = undefined;
      service.advance(day);
      await expect.poll(() => bank.signIns, wait).toBe(attended + perDay + 1);
    });

    test('counts a conversation in which the bank fails, but not one that does not reach it', async () => {
      const linked = await linkAt('ole', northBank);
      const bank = bankOf('ole');
      for (const [reached, count] of [
        [false, 0],
        [true, 1],
      ] as const) {
        const fail = () => {
          throw new BankUnreachable('down');
        };
        [bank.onSignIn, bank.onRead] = reached ? [undefined, fail] : [fail, undefined];
        const { attempts } = await jobOf(linked);
        service.advance(8 * hour);
        await expect.poll(async () => (await jobOf(linked)).attempts, wait).toBeGreaterThan(attempts);
        await untilEnded(linked);
        expect((await jobOf(linked)).asked?.split('\n').length ?? 0).toBe(count);
      }
    });

    test('pauses between two conversations about a connection, even on request', async () => {
      const linked = await linkAt('mia', restingBank);
      const bank = bankOf('mia');
      const { signIns } = bank;
      service.advance(7 * hour);
      await expect.poll(() => bank.signIns, wait).toBe(signIns + 1);
      await untilEnded(linked);
      const refused = await run('refresh', 'run', '--connection', linked.connectionId);
      expect(refused.err).toContain(
        `cannot be refreshed before ${(await jobOf(linked)).notBefore!}: its bank limits requests.`,
      );
      service.advance(2 * hour);
      expect(bank.signIns).toBe(signIns + 1);
      service.advance(hour);
      await expect.poll(() => bank.signIns, wait).toBe(signIns + 2);
    });

    test('reads in a retry only the accounts that lag', async () => {
      const linked = await linkAt('lea', northBank, ['first', 'second']);
      const bank = bankOf('lea');
      bank.onRead = (accountId) => {
        if (accountId === 'first') throw new BankUnreachable('down');
      };
      service.advance(7 * hour);
      const countOf = (accountId: string) => bank.reads.get(accountId)?.length ?? 0;
      for (let reads = 1; reads <= perDay; reads++) {
        await expect.poll(() => countOf('first'), wait).toBe(reads);
        await untilEnded(linked);
        expect(countOf('second')).toBe(1);
        service.advance(seconds(20 * 60));
      }
      // The budget of the day is used up for only one of them.
      service.advance(7 * hour);
      await expect.poll(() => countOf('second'), wait).toBe(2);
      await untilEnded(linked);
      expect(countOf('first')).toBe(perDay);
      bank.onRead = undefined;
      service.advance(18 * hour);
      await expect.poll(() => countOf('first'), wait).toBeGreaterThan(perDay);
    });
  });
}
