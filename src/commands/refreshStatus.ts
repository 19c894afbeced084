// refresh status: whether refreshing keeps up, and what keeps it from that.
import { countNeedsReconnect } from '../connections/store.ts';
import { countFailingRefreshes, countJobs, type JobCount } from '../refresh/jobs.ts';
import { defineCommand } from './command.ts';
import { keyValueTable } from './format.ts';
import { withService } from './withService.ts';

export const refreshStatus = defineCommand({
  summary: 'count what is due, running, failing and stopped, with the reasons',
  run: ({ config }) =>
    withService(config, async ({ db, clock }) => {
      const counts = await countJobs(db, clock);
      const refreshes = counts.filter(({ kind }) => kind === 'refresh');
      const waitedFor = counts.filter(({ kind }) => kind !== 'refresh');
      const late = Math.max(
        0,
        ...refreshes.map(({ dueSince, environment }) =>
          dueSince ? clock.now(environment).getTime() - Date.parse(dueSince) : 0,
        ),
      );
      const json = {
        scheduled: sum(refreshes, 'all'),
        due: sum(refreshes, 'due'),
        longestDueSeconds: Math.floor(late / 1000),
        running: sum(refreshes, 'running'),
        imports: { due: sum(waitedFor, 'due'), running: sum(waitedFor, 'running') },
        failing: withTotal(await countFailingRefreshes(db.read)),
        stopped: withTotal(await countNeedsReconnect(db.read)),
      };
      const waiting = json.due > 0 ? `${json.due}, the longest for ${json.longestDueSeconds} seconds` : 0;
      return {
        json,
        text: keyValueTable([
          ['Scheduled', json.scheduled],
          ['Due', waiting],
          ['Running', json.running],
          ['Failing', formatReasons(json.failing)],
          ['Stopped', formatReasons(json.stopped)],
          ['Imports', `${json.imports.due} due, ${json.imports.running} running`],
        ]),
      };
    }),
});

const sum = (counts: JobCount[], name: 'all' | 'due' | 'running'): number =>
  counts.reduce((total, count) => total + count[name], 0);

type Reasons = { total: number; reasons: Record<string, number> };

const withTotal = (reasons: Record<string, number>): Reasons => ({
  total: Object.values(reasons).reduce((total, count) => total + count, 0),
  reasons,
});

const formatReasons = ({ total, reasons }: Reasons): string => {
  const parts = Object.entries(reasons).map(([reason, count]) => `${reason} ${count}`);
  return parts.length === 0 ? '0' : `${total}: ${parts.join(', ')}`;
};
