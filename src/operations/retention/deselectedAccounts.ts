// Deletes accounts that end users have stopped sharing, after the retention period of revoked connections.
import { setImmediate } from 'node:timers/promises';
import { findApplication } from '../../domain/applications/store.ts';
import * as connections from '../../domain/connections/purgeStore.ts';
import { findConnectionRow } from '../../domain/connections/store.ts';
import { addMilliseconds, days, seconds } from '../../platform/values/clock.ts';
import { applicationTimes, type SweepDeps } from './deadlines.ts';

const batchSize = 50;

/** Returns the number of deleted accounts. Throws the signal's reason if aborted. */
export const deleteDeselectedAccounts = async (deps: SweepDeps, signal: AbortSignal): Promise<number> => {
  const { db, clock, limits } = deps;
  // Uses the latest of all clocks. Accounts of a Sandbox with an earlier clock are found early and skipped.
  const latest = Math.max(...applicationTimes(clock).map(({ now }) => now.getTime()));
  const before = new Date(latest - days(limits.retentionDays)).toISOString();
  let [deleted, after] = [0, undefined as connections.DeselectedAccount | undefined];
  for (;;) {
    const found = await connections.findDeselected(db.write, before, { after, limit: batchSize });
    if (found.length === 0) return deleted;
    for (const account of found)
      if (await isDue(deps, account)) deleted += await deleteAccount(deps, account);
    after = found.at(-1);
    await setImmediate();
    signal.throwIfAborted();
  }
};

const isDue = async (
  { db, clock, limits }: SweepDeps,
  { endUserId, connectionId: id, deselectedAt }: connections.DeselectedAccount,
): Promise<boolean> => {
  const connection = await findConnectionRow(db.write, { endUserId, id });
  const application = connection && (await findApplication(db.write, connection.applicationId));
  const end = Date.parse(deselectedAt) + days(limits.retentionDays);
  return application !== undefined && end <= clock.now(application).getTime();
};

const deleteAccount = async (
  { db, clock, limits }: SweepDeps,
  account: connections.DeselectedAccount,
): Promise<number> => {
  await db.markVacuumNeeded();
  // Responses that began before may still be reading its transactions.
  const deleteAfter = addMilliseconds(clock.real(), seconds(limits.sweepGraceSeconds)).toISOString();
  return db.transaction((trx) => connections.deleteDeselected(trx, account, deleteAfter));
};
