// Lets another origin open the widget of the bench's application, as a member would in the dashboard.
import { openDatabase } from '../../src/db/open.ts';
import type { BenchFixture } from './fixture.ts';

export const addOrigin = async (stage: BenchFixture, origin: string): Promise<void> => {
  const db = await openDatabase(stage.databaseUrl);
  const row = await db.read('applications').where({ id: stage.applicationId }).first('origins');
  const origins = JSON.stringify([...JSON.parse(row.origins), origin]);
  await db.write('applications').where({ id: stage.applicationId }).update({ origins });
  await db.close();
};
