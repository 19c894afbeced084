// Metrics in Prometheus's format. No label contains the id of an application, a user or a connection.
import cluster from 'node:cluster';
import { AggregatorRegistry, Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { JobKind } from '../../domain/connections/jobs.ts';
import type { Database } from '../../platform/db/open.ts';
import { droppedLogLines } from '../../platform/telemetry/log.ts';
import type { ReadState } from './operationalState.ts';
import type { DueJobs, RefreshLoad } from './refreshHealth.ts';

/** `readLoads` returns this many institutions, those with the most connections first. */
type SignalsDeps = { db: Database; readState: ReadState; readLoads(limit: number): Promise<RefreshLoad[]> };

const prefix = 'bank_connection_';
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const jobSeconds = [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 1800];

export const makeSignals = (deps: SignalsDeps): Signals => {
  const registry = new Registry();
  const registers = [registry];
  const largest = watchLargestInstitutions(registry, deps.readLoads);
  collectDefaultMetrics({ register: registry });
  addStateGauges(registry, { ...deps, labelOf: largest.labelOf });
  addProcessGauges(registry, deps.db);
  const requests = new Histogram({
    name: `${prefix}request_duration_seconds`,
    help: 'Responses by operation and status class, with their duration.',
    labelNames: ['operation', 'status'],
    buckets: requestSeconds,
    registers,
  });
  const jobs = new Histogram({
    name: `${prefix}job_duration_seconds`,
    help: 'Imports, reconnects and refreshes by institution and outcome, with their duration.',
    labelNames: ['kind', 'institution', 'outcome'],
    buckets: jobSeconds,
    registers,
  });
  const deliveries = new Counter({
    name: `${prefix}webhook_deliveries_total`,
    help: 'Attempts to deliver a webhook by what became of the delivery: delivered, pending (will be repeated) or failed.',
    labelNames: ['outcome'],
    registers,
  });
  const withdrawn = new Counter({
    name: `${prefix}withdrawn_transactions_total`,
    help: 'Posted transactions that became void because the bank no longer lists them, by institution.',
    labelNames: ['institution'],
    registers,
  });
  const doubted = new Counter({
    name: `${prefix}doubted_readings_total`,
    help: 'Readings of an account that left out too much to be believed, by institution.',
    labelNames: ['institution'],
    registers,
  });
  // A child of a cluster responds to its parent, which serves the sum.
  if (cluster.isWorker) {
    AggregatorRegistry.setRegistries(registers);
    new AggregatorRegistry();
  }
  return {
    request: ({ operation = 'other', status, milliseconds }) =>
      requests.observe({ operation, status: String(status) }, milliseconds / 1000),
    job: ({ kind, institutionId, outcome, milliseconds }) =>
      jobs.observe({ kind, institution: largest.labelOf(institutionId), outcome }, milliseconds / 1000),
    absences: (institutionId, counts) => {
      const institution = largest.labelOf(institutionId);
      withdrawn.inc({ institution }, counts.withdrawn);
      doubted.inc({ institution }, counts.doubted);
    },
    delivery: (outcome) => deliveries.inc({ outcome }),
    text: async () => {
      await largest.update().catch(() => {});
      return registry.metrics();
    },
  };
};

const largestCount = 50;
const largestKeptMs = 600_000;

/** The label of an institution: its id if it is one of the 50 with the most connections, else `other`. */
const watchLargestInstitutions = (registry: Registry, readLoads: SignalsDeps['readLoads']) => {
  const ids = new Set<string>();
  let until = 0;
  const gauge = (name: string, help: string): Gauge<'institution'> =>
    new Gauge({
      ...{ name: prefix + name, help, labelNames: ['institution'], registers: [registry], aggregator: 'max' },
    });
  const connections = gauge(
    'scheduled_refreshes',
    'Connections with a scheduled refresh at the largest institutions.',
  );
  const capacity = gauge(
    'refresh_capacity',
    'Connections that the limits and workers can refresh on schedule.',
  );
  return {
    labelOf: (id: string): string => (ids.has(id) ? id : 'other'),
    update: async (): Promise<void> => {
      if (performance.now() < until) return;
      const loads = await readLoads(largestCount);
      ids.clear();
      connections.reset();
      capacity.reset();
      for (const { institutionId: institution, ...load } of loads) {
        ids.add(institution);
        connections.set({ institution }, load.connections);
        capacity.set({ institution }, load.capacity);
      }
      until = performance.now() + largestKeptMs;
    },
  };
};

type StateGaugeDeps = SignalsDeps & { labelOf(institutionId: string): string };

/**
 * Read from the database, so every process has the same values, and a cluster uses the largest. Only these metrics are missing
 * while the database does not respond.
 */
const addStateGauges = (registry: Registry, { db, readState, labelOf }: StateGaugeDeps): void => {
  const gauge = <Label extends string>(
    name: string,
    help: string,
    labelNames: Label[],
    set: (gauge: Gauge<Label>, state: Awaited<ReturnType<ReadState>>) => void,
  ) =>
    new Gauge<Label>({
      ...{ name: prefix + name, help, labelNames, registers: [registry], aggregator: 'max' },
      async collect() {
        this.reset();
        const state = await readState().catch(() => undefined);
        if (state) set(this, state);
      },
    });
  const byLabel = (due: DueJobs[]) =>
    Map.groupBy(due, ({ kind, institutionId }) => `${kind} ${labelOf(institutionId)}`);
  const setDue = (one: Gauge<'kind' | 'institution'>, due: DueJobs[], value: (jobs: DueJobs[]) => number) => {
    for (const [label, jobs] of byLabel(due)) {
      const [kind = '', institution = ''] = label.split(' ');
      one.set({ kind, institution }, value(jobs));
    }
  };
  const labels: ('kind' | 'institution')[] = ['kind', 'institution'];
  new Gauge({
    name: `${prefix}database_up`,
    help: 'Whether the database answers: 1 or 0.',
    registers: [registry],
    aggregator: 'min',
    async collect() {
      this.set(
        await db.read.raw('select 1').then(
          () => 1,
          () => 0,
        ),
      );
    },
  });
  gauge('database_disk_full', 'Whether the disk was full at a write in the last minute.', [], (one, state) =>
    one.set(Number(state.diskFull)),
  );
  gauge('workers', 'Processes with a worker that reported recently.', [], (one, { workers }) =>
    one.set(workers),
  );
  gauge('due_jobs', 'Jobs that are due and not claimed.', labels, (one, { due }) =>
    setDue(one, due, (jobs) => jobs.reduce((sum, { count }) => sum + count, 0)),
  );
  gauge('due_jobs_longest_seconds', 'How long the oldest due job has been due.', labels, (one, { due }) =>
    setDue(one, due, (jobs) => Math.max(...jobs.map(({ longestSeconds }) => longestSeconds))),
  );
  gauge(
    'failing_refreshes',
    'Refreshes whose last attempt failed. The reason institution_rate_limited means that the bank paused them.',
    ['reason'],
    (one, { failing }) => {
      for (const [reason, count] of Object.entries(failing)) one.set({ reason }, count);
    },
  );
  gauge(
    'webhook_endpoints',
    'Failing or disabled webhook endpoints.',
    ['state'],
    (one, { webhookEndpoints }) => {
      one.set({ state: 'failing' }, webhookEndpoints.failing);
      one.set({ state: 'disabled' }, webhookEndpoints.disabled);
    },
  );
};

const addProcessGauges = (registry: Registry, db: Database): void => {
  const registers = [registry];
  new Gauge({
    name: `${prefix}database_connections`,
    help: 'Database connections, used and free, and statements that wait for one.',
    labelNames: ['pool', 'state'],
    registers,
    collect() {
      for (const { pool, used, free, waiting } of db.pools()) {
        this.set({ pool, state: 'used' }, used);
        this.set({ pool, state: 'free' }, free);
        this.set({ pool, state: 'waiting' }, waiting);
      }
    },
  });
  new Counter({
    name: `${prefix}log_lines_dropped_total`,
    help: 'Log lines that could not be written.',
    registers,
    collect() {
      this.reset();
      this.inc(droppedLogLines());
    },
  });
};

/** The metrics of all processes of a cluster, for its parent. */
export const clusterMetrics = (): (() => Promise<string>) => {
  const aggregator = new AggregatorRegistry();
  return () => aggregator.clusterMetrics();
};

/** Counts events as they happen. */
export type Signals = {
  request(sample: { operation: string | undefined; status: number; milliseconds: number }): void;
  job(sample: { kind: JobKind; institutionId: string; outcome: string; milliseconds: number }): void;
  absences(institutionId: string, counts: { withdrawn: number; doubted: number }): void;
  delivery(outcome: string): void;
  /** All metrics of this process. */
  text(): Promise<string>;
};
