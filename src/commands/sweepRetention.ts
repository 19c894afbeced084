// retention sweep: what every process with a worker does about once an hour, now.
import { type DeletedCounts, sweep } from '../retention/sweep.ts';
import { operatorCommand } from './command.ts';
import { count } from './lines.ts';
import { stopSignal } from './untilStopped.ts';
import { withService } from './withService.ts';

export const sweepRetention = operatorCommand({
  summary: 'delete what is over now: connections revoked long ago, results never fetched, old sessions',
  run: ({ config, progress }) =>
    withService(config, async ({ db, clock }) => {
      const swept = await sweep(
        { db, clock, limits: config.limits },
        {
          signal: stopSignal(),
          rewriteBytesMax: Number.POSITIVE_INFINITY,
          onProgress: (so) => progress.show(inWords(so)),
        },
      );
      if (!swept.vacuumed) progress.say(unscrubbed);
      return { json: swept, text: [`${inWords(swept)}.`] };
    }),
});

const unscrubbed =
  'Another process kept the file busy: it is rewritten, so that no byte of this is left, at the next sweep.';

const inWords = ({ connections, accounts, transactions, endUsers, linkSessions }: DeletedCounts): string =>
  `Deleted ${count(connections, 'connection')} with ${count(accounts, 'account')} and ` +
  `${count(transactions, 'transaction')}, ${count(endUsers, 'end user')}, ${count(linkSessions, 'session')}`;
