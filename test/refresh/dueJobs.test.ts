// Finding due jobs: each job follows its own clock, no clock delays another, and no statement reads the jobs of others.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findDueJobs } from '../../src/flows/refresh/jobs.ts';
import { countJobs } from '../../src/operations/signals/refreshHealth.ts';
import { type Database, openDatabase } from '../../src/platform/db/open.ts';
import { insertRows } from '../../src/platform/db/queries.ts';
import type { JobRow } from '../../src/platform/db/tables.ts';
import { addMilliseconds, days, seconds, systemClock } from '../../src/platform/values/clock.ts';
import { databases } from '../support/databases.ts';

const acme = 'org_acme';
const globex = 'org_globex';
const others = 3_000;

for (const database of databases) {
  describe(`due jobs on ${database.name}`, () => {
    let db: Database;
    let drop: () => Promise<void>;
    const now = new Date();
    const ahead = systemClock(() => new Map([[acme, days(365)]]));
    const severalAhead = systemClock(
      () =>
        new Map([
          [acme, days(365)],
          [globex, days(150)],
          ['org_idle', days(10)],
        ]),
    );

    const job = (connectionId: string, dueInDays: number, more: Partial<JobRow> = {}): JobRow => ({
      connectionId,
      endUserId: 'usr_1',
      applicationId: 'app_1',
      organizationId: 'org_other',
      environment: 'sandbox',
      institutionId: 'sandbox-bank',
      kind: 'refresh',
      linkSessionId: null,
      dueAt: addMilliseconds(now, days(dueInDays)).toISOString(),
      ...{ refreshDueAt: null, notBefore: null, fullAt: null, asked: null },
      attempts: 0,
      leaseToken: null,
      leaseExpiresAt: null,
      lastFailure: null,
      lastFailedAt: null,
      ...more,
    });

    beforeAll(async () => {
      const created = await database.create();
      drop = created.drop;
      db = await openDatabase(created.url);
      const rows = [
        ...Array.from({ length: others }, (_, at) => job(`other-${at}`, 1 + (at % 350))),
        job('acme-due', -1, { organizationId: acme }),
        job('acme-ahead-1', 100, { organizationId: acme }),
        job('acme-ahead-2', 200, { organizationId: acme }),
        job('acme-later', 400, { organizationId: acme }),
        job('acme-leased', 100, {
          ...{ organizationId: acme, leaseToken: 'token' },
          leaseExpiresAt: addMilliseconds(now, days(1)).toISOString(),
        }),
        job('acme-production-later', 100, { organizationId: acme, environment: 'production' }),
        job('acme-import', -1, { organizationId: acme, kind: 'import', linkSessionId: 'lks_1' }),
        job('globex-ahead', 149, { organizationId: globex }),
        job('globex-later', 151, { organizationId: globex }),
        job('other-due', -2),
        ...[1, 2, 3].map((at) => job(`production-${at}`, -3, { environment: 'production' })),
      ];
      await insertRows(db.write, 'jobs', rows);
      await db.write.raw(db.dialect === 'postgres' ? 'vacuum analyze jobs' : 'analyze');
    });
    afterAll(async () => {
      await db.close();
      await drop();
    });

    const find = async (clock = ahead, limit = 100) =>
      (await findDueJobs(db, clock, limit)).map(({ connectionId }) => connectionId);

    test('are those of Production and Sandbox by real time, and those of a clock ahead of it by that clock', async () => {
      const byRealTime = [
        'acme-import',
        'acme-due',
        'other-due',
        'production-1',
        'production-2',
        'production-3',
      ];
      expect((await find(systemClock(() => new Map()))).sort()).toEqual([...byRealTime].sort());
      expect((await find()).sort()).toEqual([...byRealTime, 'acme-ahead-1', 'acme-ahead-2'].sort());
    });

    test('are those of several clocks ahead of real time, each by its own', async () => {
      const byClockAhead = (ids: string[]) => ids.filter((id) => /ahead|later|leased/.test(id)).sort();
      const expected = ['acme-ahead-1', 'acme-ahead-2', 'globex-ahead'];
      expect(byClockAhead(await find(severalAhead))).toEqual(expected);
    });

    test('are counted by the same clocks', async () => {
      const { imports, refreshes } = await countJobs({ db, clock: ahead });
      expect(imports).toMatchObject({ all: 1, due: { count: 1 }, running: 0 });
      expect(refreshes).toMatchObject({ all: others + 12, due: { count: 7 }, running: 1 });
      expect(seconds(refreshes.due.longestSeconds) / days(1)).toBeCloseTo(265, 1);
    });

    test('begin with those that a user waits for; then no environment and no clock is always first', async () => {
      const firstRefreshes = new Set<string>();
      const isComplete = () =>
        ['production-1', 'other-due', 'acme-ahead-1'].every((id) => firstRefreshes.has(id));
      for (let at = 0; at < 200 && !isComplete(); at++) {
        const [first, second] = await find(ahead, 2);
        expect(first).toBe('acme-import');
        firstRefreshes.add(second!.replace(/^production-\d$/, 'production-1'));
      }
      expect(isComplete()).toBe(true);
      const turns = (await find()).slice(1).map((id) => id.startsWith('production'));
      expect(turns.slice(0, 6).filter(Boolean)).toHaveLength(3);
    });

    test('are found by indexes, with one more statement for any number of clocks ahead', async () => {
      const queries: { sql: string; bindings: readonly unknown[] }[] = [];
      const unwatch = db.watch((sql, bindings) => queries.push({ sql, bindings }));
      await find(severalAhead);
      unwatch();
      expect(queries).toHaveLength(7);
      const plans: string[] = [];
      for (const { sql, bindings } of queries) {
        const prefix = db.dialect === 'postgres' ? 'explain (analyze, costs off)' : 'explain query plan';
        plans.push(JSON.stringify((await db.read.run({ text: `${prefix} ${sql}` }, bindings)).rows));
      }
      for (const plan of plans) {
        expect(plan).toMatch(/jobs_environment_kind_due_at_index|jobs_of_sandboxes/);
        expect(plan).not.toMatch(/Seq Scan|SCAN jobs/);
        // PostgreSQL reports the number of other rows that it read.
        expect(plan).not.toMatch(/Rows Removed by Filter: \d{3}/);
      }
      expect(plans.filter((plan) => plan.includes('jobs_of_sandboxes'))).toHaveLength(1);
    });
  });
}
