// The service for one command: the same database and secrets, without HTTP server and background loops.
import { mkdirSync } from 'node:fs';
import { OperatorError } from '../errors.ts';
import type { Listening } from '../http/listenAt.ts';
import { buildService, type Service } from '../service.ts';
import type { Config } from '../settings/config.ts';
import { type Log, makeLog } from '../telemetry/log.ts';
import { hasTracer } from '../telemetry/tracing.ts';

/** The service, which the caller closes. `worker` requires the worker's secrets. */
export const openService = (
  config: Config,
  { worker = false }: { worker?: boolean } = {},
): Promise<Service> => {
  makeDataDirectory(config);
  // Only errors are logged: the output of a command is its result.
  const log = makeLog(config.logLevel === 'silent' ? 'silent' : 'error', 'stderr');
  return buildService(config, log, { worker, withoutLoops: true });
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

/** Creates DATA_DIR, readable by its owner only. Throws OperatorError. */
export const makeDataDirectory = ({ dataDir }: Config): void => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(`DATA_DIR names ${dataDir}, which cannot be created as a directory (${code}).`);
  }
};

/** Serves the metrics of this process, if METRICS_PORT is set. Throws OperatorError where the port is taken. */
export const serveSignals = async ({ config, signals }: Service): Promise<Listening | undefined> =>
  signals && (await import('../http/metricsServer.ts')).serveMetrics(config, signals.text);

/** A collector without a preloaded tracer gets nothing, which nobody would notice. */
export const warnWithoutTracer = ({ hasCollector }: Config, log: Log): void => {
  if (hasCollector && !hasTracer()) log.warn('nothing is traced: no tracer is preloaded');
};
