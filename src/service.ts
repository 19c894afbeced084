// Builds the house once: database, secrets, vault, banks, and what each door and the worker may hold of them.
import { type ApiKeySigner, makeApiKeySigner } from './applications/apiKeys.ts';
import { withPatience } from './banks/patience.ts';
import { type Connector, loadConnectors, makeRegistry, type Registry } from './banks/registry.ts';
import { sandboxInstitutions } from './banks/sandbox/institutions.ts';
import { makeSandboxBank } from './banks/sandbox/sandboxBank.ts';
import { type Clock, seconds, systemClock } from './clock.ts';
import type { Config } from './config.ts';
import { migrate } from './db/migrate.ts';
import { type Database, openDatabase } from './db/open.ts';
import { importConnection } from './linking/importConnection.ts';
import type { LinkJobDeps } from './linking/linkJob.ts';
import { reconnectConnection } from './linking/reconnectConnection.ts';
import type { LinkingDeps } from './linking/deps.ts';
import type { Log } from './log.ts';
import { makeAfterwards } from './members/afterwards.ts';
import { makeOpenId, type OpenId } from './members/openId.ts';
import type { MemberTools } from './members/tools.ts';
import { type Counter, startCounter } from './metrics/counter.ts';
import { type Quotas, startQuotas } from './metrics/quotas.ts';
import type { ClaimedJob } from './refresh/jobs.ts';
import { refreshConnection } from './refresh/refreshConnection.ts';
import { startWorker, type Worker, type WorkerLog, type JobHandlers } from './refresh/worker.ts';
import { type Sweeper, startSweeper } from './retention/sweeper.ts';
import { followSandboxClock } from './sandbox/clock.ts';
import { makeSandboxMemory } from './sandbox/memory.ts';
import { loadSecrets, type Secrets } from './secrets/secrets.ts';
import { makeTurns, type Turn } from './turns.ts';

export type Service = {
  config: Config;
  log: Log;
  clock: Clock;
  db: Database;
  signer: ApiKeySigner;
  secrets: Secrets;
  registry: Registry;
  linking: LinkingDeps;
  members: MemberTools;
  /** There where the operator has set a provider. */
  openId: OpenId | undefined;
  counter: Counter;
  quotas: Quotas;
  /** Long answers of this process take turns. */
  turn: Turn;
  /** There in a process that may hold the worker's secrets: what is to be done for each kind of work. */
  handlers: JobHandlers | undefined;
  /** There in a process that looks for work, and at times for what is to be deleted, by itself. */
  worker: Worker | undefined;
  /** Stops what runs by itself and closes the database. */
  close(): Promise<void>;
};

export type ServiceOptions = {
  /** Whether this process may hold the worker's secrets and do its work. */
  worker: boolean;
  /** A process with the worker's secrets that does only what it is told to. */
  idle?: boolean;
  /** Another time than the system's with the sandbox's offset. */
  clock?: Clock;
  /** Connectors for Production applications, besides those of the setting BANKS. */
  connectors?: Connector[];
  /** How long each step takes the sandbox's user `slow`. */
  slowStepMs?: number;
};

/** Opens, migrates and assembles. Throws OperatorError with one sentence for whatever the operator must mend. */
export const buildService = async (config: Config, log: Log, options: ServiceOptions): Promise<Service> => {
  const db = await openDatabase(config.databaseUrl);
  try {
    return await assemble(config, log, db, options);
  } catch (error) {
    await db.close();
    throw error;
  }
};

const assemble = async (
  config: Config,
  log: Log,
  db: Database,
  options: ServiceOptions,
): Promise<Service> => {
  await migrate(db);
  const { limits } = config;
  let worker: Worker | undefined;
  let sweeper: Sweeper | undefined;
  const time = await startTime(db, options.clock, limits.sandboxClockPollMs, () => {
    worker?.wake();
    sweeper?.wake();
  });
  const counter = startCounter({ db, clock: time.clock, limits, log });
  const quotas = startQuotas({ db, clock: time.clock, limits, log });
  const afterwards = makeAfterwards((err) => log.error({ err }, 'a failed sign-in was not recorded'));
  const close = async (): Promise<void> => {
    await Promise.all([worker?.stop(), sweeper?.stop(), time.stop()]);
    await Promise.all([counter.stop(), quotas.stop(), afterwards.finish()]);
    await db.close();
  };
  try {
    const { clock } = time;
    const secrets = await loadSecrets(db, config.secretsDir, { worker: options.worker, now: clock.real() });
    const registry = await buildRegistry(config, db, clock, {
      secrets,
      ...options,
    });
    const linking: LinkingDeps = {
      db,
      clock,
      limits,
      registry,
      workerPublicKey: secrets.workerPublicKey,
      serviceSecret: secrets.apiKeys,
      wakeWorker: () => worker?.wake(),
      reportError: (session, error) => log.error({ session, err: error }, 'linking failed'),
    };
    const handlers = secrets.worker && makeHandlers(linking, secrets.worker);
    if (handlers && !options.idle) {
      worker = startWorker({ db, clock, limits, log: workerLog(log, counter) }, handlers);
      sweeper = startSweeper({ db, clock, limits, log });
    }
    const signer = makeApiKeySigner(secrets.apiKeys);
    const members: MemberTools = { db, clock, limits, baseUrl: config.baseUrl, afterwards };
    const openId = config.openId && makeOpenId(config.openId);
    return {
      ...{ config, log, clock, db, signer, secrets, registry },
      ...{ linking, members, openId, counter, quotas, handlers, worker, close },
      turn: makeTurns(),
    };
  } catch (error) {
    await Promise.all([counter.stop(), quotas.stop()]);
    await time.stop();
    throw error;
  }
};

const startTime = async (db: Database, given: Clock | undefined, everyMs: number, onMoved: () => void) => {
  if (given) return { clock: given, stop: async () => {} };
  const sandbox = await followSandboxClock(db, { everyMs, onMoved });
  return { clock: systemClock(sandbox.offset), stop: sandbox.stop };
};

const buildRegistry = async (
  config: Config,
  db: Database,
  clock: Clock,
  { secrets, connectors = [], slowStepMs }: ServiceOptions & { secrets: Secrets },
): Promise<Registry> => {
  const patient = (connector: Connector): Connector => ({
    ...connector,
    bank: withPatience(connector.bank, seconds(config.limits.bankTimeoutSeconds)),
  });
  const memory = makeSandboxMemory(db, secrets.sandbox);
  const sandbox = makeSandboxBank({ memory, realNow: clock.real, slowStepMs });
  const production = [...connectors, ...(await loadConnectors(config.banks))];
  return makeRegistry({
    sandbox: patient({ institutions: sandboxInstitutions, bank: sandbox }),
    production: production.map(patient),
  });
};

const makeHandlers = (linking: LinkingDeps, secrets: NonNullable<Secrets['worker']>): JobHandlers => {
  const tools: LinkJobDeps = { ...linking, workerKeys: secrets.keys, fingerprintKey: secrets.fingerprints };
  return {
    import: (work, signal) => importConnection(tools, work, signal),
    reconnect: (work, signal) => reconnectConnection(tools, work, signal),
    refresh: (work, signal) => refreshConnection(tools, work, signal),
  };
};

const workerLog = (log: Log, counter: Counter): WorkerLog => {
  const count = (
    work: ClaimedJob,
    outcome: 'succeeded' | 'refused' | 'failed',
    milliseconds: number,
  ): void => {
    const { applicationId, institutionId } = work;
    counter.note({ applicationId, kind: 'institution', subject: institutionId, outcome, milliseconds });
  };
  return {
    done: (work, milliseconds, outcome) => {
      const { connectionId, kind } = work;
      log.info({ connectionId, kind, milliseconds }, 'work done');
      if (kind !== 'refresh' || outcome === 'nothing') return;
      count(work, outcome === 'refused' ? 'refused' : 'succeeded', milliseconds);
    },
    failed: (work, err, milliseconds) => {
      const { connectionId, kind } = work;
      log.warn({ connectionId, kind, err }, 'work failed');
      if (kind === 'refresh' && connectionId !== '') count(work, 'failed', milliseconds ?? 0);
    },
  };
};
