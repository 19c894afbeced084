// retention sweep: what every process with a worker does about once an hour, now.
import { type DeletedCounts, sweep } from '../retention/sweep.ts';
import { defineCommand } from './command.ts';
import { pluralize } from './format.ts';
import { shutdownSignal } from './shutdownSignal.ts';
import { withService } from './withService.ts';

export const sweepRetention = defineCommand({
  summary: 'delete what is over now: connections revoked long ago, results never fetched, old sessions',
  run: ({ config, progress }) =>
    withService(config, async ({ db, clock }) => {
      const swept = await sweep(
        { db, clock, limits: config.limits },
        {
          signal: shutdownSignal(),
          rewriteBytesMax: Number.POSITIVE_INFINITY,
          onProgress: (so) => progress.update(formatDeleted(so)),
        },
      );
      if (!swept.vacuumed) progress.info(vacuumPostponedMessage);
      return { json: swept, text: [`${formatDeleted(swept)}.`] };
    }),
});

const vacuumPostponedMessage =
  'Another process kept the file busy: it is rewritten, so that no byte of this is left, at the next sweep.';

const formatDeleted = ({
  connections,
  accounts,
  transactions,
  endUsers,
  linkSessions,
}: DeletedCounts): string =>
  `Deleted ${pluralize(connections, 'connection')} with ${pluralize(accounts, 'account')} and ` +
  `${pluralize(transactions, 'transaction')}, ${pluralize(endUsers, 'end user')}, ${pluralize(linkSessions, 'session')}`;
