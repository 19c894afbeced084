// The result of a soak run: its counts, and the errors that must be zero.
import { compareTransactions, type ExpectedAccount, readBank } from './expectedState.ts';
import { processesOf, type SoakRun } from './soakRun.ts';
import type { SupervisedProcess } from './supervisedProcess.ts';

export type SoakResult = {
  processes: readonly Pick<SupervisedProcess, 'name' | 'kills'>[];
  counts: Record<string, number>;
  /** Each must be zero. */
  errors: Record<string, number>;
};

type Differences = { consumers: number; extra: number; missing: number };

/** Lets each consumer catch up and compares its copy with the bank. */
const compareConsumers = async ({ fixture, consumers }: SoakRun): Promise<Differences> => {
  const sum = { consumers: 0, extra: 0, missing: 0 };
  const accountsByUser = new Map<string, ExpectedAccount[]>();
  for (const { consumer, user, account } of consumers) {
    await consumer.stop();
    await consumer.catchUp();
    const key = `${user.institutionId} ${user.username}`;
    const context = { now: fixture.now(), organizationId: fixture.organizationId };
    const accounts = accountsByUser.get(key) ?? (await readBank(fixture.connector, user, context));
    accountsByUser.set(key, accounts);
    const expected = accounts.find(({ name }) => name === account.name)!;
    const { extra, missing } = compareTransactions(expected, consumer.transactions.values());
    if (extra + missing === 0) continue;
    console.error(`${key}, ${account.name}: ${extra} too many, ${missing} missing`);
    sum.consumers += 1;
    sum.extra += extra;
    sum.missing += missing;
  }
  return sum;
};

export const collectResult = async (run: SoakRun, refreshesFinished: boolean): Promise<SoakResult> => {
  const { fixture, consumers, linked } = run;
  const differences = await compareConsumers(run);
  const { read } = fixture.db;
  const count = async (query: PromiseLike<unknown>): Promise<number> =>
    Number((((await query) as { count: number }[])[0] ?? { count: 0 }).count);
  const leases = await count(read('jobs').whereNotNull('lease_token').count({ count: '*' }));
  const connections = await count(read('connections').whereNull('delivery_expires_at').count({ count: '*' }));
  const refreshes = await count(read('transactions').countDistinct({ count: 'refreshTime' }));
  const sum = (name: 'completedSyncs' | 'failedSyncs' | 'duplicates'): number =>
    consumers.reduce((total, { consumer }) => total + consumer[name], 0);
  const processes = processesOf(run);
  return {
    processes,
    counts: {
      connections,
      refreshes,
      'links lost to a kill': run.failedLinks,
      consumers: consumers.length,
      'completed syncs': sum('completedSyncs'),
      'failed syncs': sum('failedSyncs'),
      'transactions copied': consumers.reduce((total, { consumer }) => total + consumer.transactions.size, 0),
    },
    errors: {
      'consumers that differ from their bank': differences.consumers,
      'transactions too many': differences.extra,
      'transactions missing': differences.missing,
      'transactions returned twice in a sync': sum('duplicates'),
      'leases not released': leases + (refreshesFinished ? 0 : 1),
      'connections lost or duplicated': Math.abs(connections - linked.length),
      'unexpected process exits': processes.reduce((total, one) => total + one.unexpectedExits, 0),
    },
  };
};

export const hasErrors = ({ errors }: SoakResult): boolean =>
  Object.values(errors).some((count) => count > 0);

export const printResult = (
  result: SoakResult,
  { seed, minutes }: { seed: number; minutes: number },
): void => {
  const rows: [string, number][] = [
    ['seed', seed],
    ['minutes', minutes],
    ...result.processes.map(({ name, kills }): [string, number] => [`${name} killed`, kills]),
    ...Object.entries(result.counts),
    ...Object.entries(result.errors),
  ];
  const width = Math.max(...rows.map(([label]) => label.length));
  for (const [label, value] of rows) console.log(`${label.padEnd(width)}  ${String(value).padStart(8)}`);
  console.log(hasErrors(result) ? 'FAILED: see the errors above.' : 'Each consumer equals its bank.');
};
