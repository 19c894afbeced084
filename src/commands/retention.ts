// The command retention sweep: deletes now what each worker process deletes about once an hour.
import { type DeletedCounts, sweep } from '../retention/sweep.ts';
import { defineCommand } from './command.ts';
import { pluralize } from './format.ts';
import { shutdownSignal } from './shutdownSignal.ts';
import { withService } from './withService.ts';

const sweepRetention = defineCommand({
  summary: 'delete now what has expired: revoked connections, undelivered results, old sessions',
  run: ({ config, progress }) =>
    withService(config, async ({ db, clock }) => {
      const deleted = await sweep(
        { db, clock, limits: config.limits },
        {
          signal: shutdownSignal(),
          rewriteBytesMax: Number.POSITIVE_INFINITY,
          onProgress: (counts) => progress.update(formatCounts(counts)),
        },
      );
      if (!deleted.vacuumed) progress.info(vacuumPostponedMessage);
      return { json: deleted, text: [`${formatCounts(deleted)}.`] };
    }),
});

const vacuumPostponedMessage =
  'Another process was using the database: the next sweep rewrites the file to remove the deleted bytes.';

export const formatCounts = (counts: DeletedCounts): string => {
  const { connections, accounts, transactions, endUsers, linkSessions } = counts;
  return (
    `Deleted ${pluralize(connections, 'connection')} with ${pluralize(accounts, 'account')} and ` +
    `${pluralize(transactions, 'transaction')}, ${pluralize(endUsers, 'end user')}, ` +
    `${pluralize(linkSessions, 'link session')}`
  );
};

export const retentionCommands = { sweep: sweepRetention };
