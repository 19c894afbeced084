// Deletes expired data now, as each worker process does about once an hour.
import { type DeletedCounts, sweep } from '../../operations/retention/sweep.ts';
import { type CommandContext, defineCommand, pluralize } from './command.ts';
import { shutdownSignal, withService } from './service.ts';

/** Sweeps now, even if rewriting a large SQLite file blocks writes for some time, and shows the progress. */
export const sweepNow = ({ config, progress }: Pick<CommandContext, 'config' | 'progress'>) =>
  withService(config, ({ db, clock }) => {
    const onProgress = (counts: DeletedCounts): void => progress.update(formatCounts(counts));
    const options = { signal: shutdownSignal(), rewriteBytesMax: Number.POSITIVE_INFINITY, onProgress };
    return sweep({ db, clock, limits: config.limits }, options);
  });

const sweepRetention = defineCommand({
  summary: 'delete expired data now: revoked connections, undelivered results, old sessions',
  run: async (context) => {
    const deleted = await sweepNow(context);
    if (!deleted.vacuumed)
      context.progress.info('The database was in use. Run this again to erase the deleted data.');
    return { json: deleted, text: [`${formatCounts(deleted)}.`] };
  },
});

export const formatCounts = (counts: DeletedCounts): string => {
  const { connections, accounts, transactions, endUsers, linkSessions } = counts;
  return (
    `Deleted ${pluralize(connections, 'connection')} with ${pluralize(accounts, 'account')} and ` +
    `${pluralize(transactions, 'transaction')}, ${pluralize(endUsers, 'end user')}, ` +
    `${pluralize(linkSessions, 'link session')}`
  );
};

export const retentionCommands = { sweep: sweepRetention };
