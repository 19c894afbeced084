// The service for a command: for one result, without an HTTP server or background loops, or as the command `worker`. SIGINT and
// SIGTERM stop it; a second signal ends the process at once.
import { mkdirSync } from 'node:fs';
import type { Config } from '../../platform/settings/config.ts';
import { describeOwner } from '../../platform/settings/describeOwner.ts';
import { type Log, makeLog } from '../../platform/telemetry/log.ts';
import { hasTracer } from '../../platform/telemetry/tracing.ts';
import { OperatorError } from '../../platform/values/errors.ts';
import { buildService, type Service } from '../../service.ts';
import type { Listening } from '../http/listen.ts';
import { type CommandContext, type CommandResult, defineCommand, type OperatorCommand } from './command.ts';

/** The service, which the caller closes. `worker` requires the worker's secrets. */
export const openService = (config: Config, options: { worker?: boolean } = {}): Promise<Service> => {
  makeDataDirectory(config);
  // Only errors are logged, because the output of a command is its result.
  const log = makeLog(config.logLevel === 'silent' ? 'silent' : 'error', 'stderr');
  return buildService(config, log, { worker: options.worker ?? false, withoutLoops: true });
};

/** Runs a function with the service and then closes it. */
export const withService = async <Result>(
  config: Config,
  run: (service: Service) => Promise<Result>,
  options: { worker?: boolean } = {},
): Promise<Result> => {
  const service = await openService(config, options);
  try {
    return await run(service);
  } finally {
    await service.close();
  }
};

/** Defines a command that runs with its own service; `Input` must match the values that its `options` add. */
export const defineServiceCommand = <Input>({
  worker,
  run,
  ...command
}: Omit<OperatorCommand, 'run'> & {
  /** True if it requires the worker's secrets. */
  worker?: boolean;
  run(service: Service, input: Input, context: CommandContext): Promise<CommandResult>;
}): OperatorCommand =>
  defineCommand({
    ...command,
    run: (context, input: Input) =>
      withService(context.config, (service) => run(service, input, context), { worker }),
  });

/** Creates DATA_DIR, readable by its owner only. Throws OperatorError. */
export const makeDataDirectory = ({ dataDir }: Config): void => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(
      `The DATA_DIR directory ${dataDir} cannot be created (${code}).${describeOwner(dataDir)}`,
    );
  }
};

/** Serves the metrics of this process, if METRICS_PORT is set. Throws OperatorError if the port is taken. */
export const serveSignals = async ({ config, signals }: Service): Promise<Listening | undefined> =>
  signals && (await import('../http/metricsServer.ts')).serveMetrics(config, signals.text);

/** Without a preloaded tracer, a collector would silently receive nothing. */
const warnWithoutTracer = ({ hasCollector }: Config, log: Log): void => {
  if (hasCollector && !hasTracer()) log.warn('nothing is traced: no tracer is preloaded');
};

/** Logs only the names of the variables, because a proxy's URL may have a password. */
const warnOfProxy = ({ variables, connectors }: Config, log: Log, worker: boolean): void => {
  const set = [...variables].filter((name) => /^(https?|all)_proxy$/i.test(name));
  const connectsOut = worker || connectors.length > 0;
  if (connectsOut && set.length > 0)
    log.warn({ variables: set }, 'proxy not used: webhooks and connectors connect directly');
};

/** Logs settings that have no effect. */
export const warnAtStart = (config: Config, log: Log, { worker }: { worker: boolean }): void => {
  warnWithoutTracer(config, log);
  warnOfProxy(config, log, worker);
};

let shutdown: Promise<void> | undefined;

/** Resolves at SIGINT or SIGTERM. */
const waitForShutdown = (): Promise<void> => {
  shutdown ??= new Promise((resolve) => {
    process.once('SIGINT', resolve);
    process.once('SIGTERM', resolve);
  });
  return shutdown;
};

/** Aborts at SIGINT or SIGTERM. */
export const shutdownSignal = (): AbortSignal => {
  const shutdown = new AbortController();
  void waitForShutdown().then(() => shutdown.abort());
  return shutdown.signal;
};

/** The long-running part of a command: waits for SIGINT or SIGTERM, and then closes everything. */
export const closeAtShutdown = (close: () => Promise<void>) => async (): Promise<void> => {
  await waitForShutdown();
  await close();
};

export const workerCommand = defineCommand({
  summary: 'run imports, refreshes and deletions, without an HTTP server',
  run: async ({ config, json }) => {
    makeDataDirectory(config);
    const log = makeLog(config.logLevel, json ? 'stderr' : 'stdout');
    warnAtStart(config, log, { worker: true });
    const service = await buildService(config, log, { worker: true, serves: false });
    const metrics = await serveSignals(service).catch(async (error) => {
      // Otherwise its loops would keep running.
      await service.close();
      throw error;
    });
    return {
      json: { working: true },
      text: ['Running imports, refreshes and deletions until stopped.'],
      longRunning: closeAtShutdown(async () => {
        await metrics?.close();
        await service.close();
      }),
    };
  },
});
