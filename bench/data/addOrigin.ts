// Adds an allowed origin to the benchmark's application, as a member does in the dashboard.
import { openDatabase } from '../../src/platform/db/open.ts';
import type { BenchFixture } from './fixture.ts';

export const addOrigin = async (fixture: BenchFixture, origin: string): Promise<void> => {
  const db = await openDatabase(fixture.databaseUrl);
  const row = await db.read('applications').where({ id: fixture.applicationId }).first('origins');
  const origins = JSON.stringify([...JSON.parse(row!.origins), origin]);
  await db.write('applications').where({ id: fixture.applicationId }).update({ origins });
  await db.close();
};
