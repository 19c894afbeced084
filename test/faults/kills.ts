// Kills processes at random times, and prints the acknowledged changes, the kills by activity, and the faults at the end; exits
// with 1 if there are any. Run it by hand on an empty database, or on that of a cluster after `migrate --distributed`:
// scripts/on-node24 node test/faults/kills.ts --database sqlite|postgres|URL --kills 500 --seed 1
// SIGTERM ends the kills early.
import { parseArgs } from 'node:util';
import { startPostgres } from '../support/postgres.ts';
import { doEverythingOnce, findProblems } from './killChecks.ts';
import { type Journal, startInstallation } from './killInstallation.ts';
import { activities, type Kill, killOften, victims } from './killRandomly.ts';

const { values } = parseArgs({
  options: {
    database: { type: 'string', default: 'sqlite' },
    kills: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
  },
});
const kills = Number(values.kills);

const openServer = async (): Promise<{ url?: string; stop(): Promise<void> }> => {
  if (values.database === 'sqlite') return { stop: async () => {} };
  if (values.database !== 'postgres') return { url: values.database, stop: async () => {} };
  return startPostgres();
};

const showProgress = (done: readonly Kill[], { linked, revoked, problems }: Journal): void => {
  const counts = `${linked.size} linked, ${revoked.size} revoked, ${problems.length} problems`;
  process.stderr.write(`\r${done.length} of ${kills} kills, ${counts} `);
};

const tableOf = (all: readonly Kill[]): string =>
  [
    ['Killed', 'Kills', ...activities],
    ['---', ...['Kills', ...activities].map(() => '---:')],
    ...victims.map((victim) => {
      const ofVictim = all.filter((kill) => kill.victim === victim);
      const counts = activities.map((one) => ofVictim.filter(({ during }) => during.includes(one)).length);
      return [victim, ofVictim.length, ...counts];
    }),
  ]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');

const server = await openServer();
const run = await startInstallation(server.url);
const ending = new AbortController();
process.once('SIGTERM', () => ending.abort());
const done = await killOften(run, {
  ...{ kills, seed: Number(values.seed) },
  ...{ onKill: showProgress, signal: ending.signal },
});
process.stderr.write('\n');
await doEverythingOnce(run);
const problems = await findProblems(run);
await run.close();
await server.stop();
const { linked, revoked, reconnected, commands } = run.journal;
const succeeded = [...commands].map(([name, count]) => `${count} × ${name}`).join(', ');
console.log(tableOf(done));
console.log(
  `\nAcknowledged: ${linked.size} links, ${reconnected} reconnects, ${revoked.size} revocations; ${succeeded};`,
);
console.log(`${run.receiver.received.length} webhooks received. ${problems.length} problems.`);
for (const problem of problems) console.log(`- ${problem}`);
process.exit(problems.length === 0 ? 0 : 1);
