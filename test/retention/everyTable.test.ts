// A sweep reaches every table with rows of end users. A table that it does not know fails this test.
import { expect, test } from 'vitest';
import { sweep } from '../../src/operations/retention/sweep.ts';
import { schemaText } from '../../src/platform/db/migrations/0001_tables.ts';
import type { Database } from '../../src/platform/db/open.ts';
import { limits } from '../../src/platform/settings/limits.ts';
import { addMilliseconds, days } from '../../src/platform/values/clock.ts';
import { makeSampleDatabase, past } from '../db/sampleRows.ts';
import { databases } from '../support/databases.ts';
import { findInTables } from './leftoverRows.ts';

const tablesOfUsers = schemaText
  .split('create table ')
  .filter((table) => /^ +end_user_id /m.test(table))
  .map((table) => /^\w+/.exec(table)![0]);

const findTablesWith = async ({ read }: Database, endUserId: string): Promise<string[]> => {
  const counts = tablesOfUsers.map(async (table) => {
    return (await read(table).where({ endUserId }).first('*')) ? [table] : [];
  });
  return (await Promise.all(counts)).flat();
};

for (const database of databases) {
  test(`a deleted end user has no row left in any table of ${database.name}`, async () => {
    const { db, rows } = await makeSampleDatabase(database);
    const { endUserId, id: connectionId } = rows.connections;
    await db.write('connections').where({ endUserId }).update({ revokedAt: past });
    // The sample has jobs and link sessions of connections that do not exist.
    await db.write('jobs').whereNot({ connectionId }).delete();
    await db.write('link_sessions').where({ connectionId: 'claimed' }).delete();
    expect(await findTablesWith(db, endUserId)).toEqual(tablesOfUsers);
    const sweepAt = (now: Date) => {
      const clock = { real: () => now, now: () => now, organizationsAhead: () => [] };
      const deps = { db, clock, limits: { ...limits, sweepGraceSeconds: 0 } };
      return sweep(deps, { signal: new AbortController().signal, rewriteBytesMax: 0 });
    };
    const now = new Date();
    expect(await sweepAt(now)).toMatchObject({ endUsers: 1 });
    // The webhooks about the deletion are kept for some days.
    expect(await findTablesWith(db, endUserId)).toEqual(['webhook_deliveries']);
    await sweepAt(addMilliseconds(now, days(limits.webhookRetentionDays) + 1));
    expect(await findTablesWith(db, endUserId)).toEqual([]);
    expect(await findInTables({ db }, [endUserId, connectionId, rows.accounts.id])).toEqual([]);
  });
}
