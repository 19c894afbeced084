// The service as a command needs it: the same database and secrets, no listening, nothing done by itself.
import { mkdirSync } from 'node:fs';
import type { Config } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { makeLog } from '../log.ts';
import { buildService, type Service } from '../service.ts';

/** Lets `work` have the service and closes it. With `worker`, the worker's secrets must be there. */
export const withService = async <Result>(
  config: Config,
  work: (service: Service) => Promise<Result>,
  { worker = false }: { worker?: boolean } = {},
): Promise<Result> => {
  makeDataDirectory(config);
  // What a command says is its answer; only what nobody expected is worth a line of the log.
  const log = makeLog(config.logLevel === 'silent' ? 'silent' : 'error', process.stderr);
  const service = await buildService(config, log, { worker, withoutLoops: true });
  try {
    return await work(service);
  } finally {
    await service.close();
  }
};

/** The directory of a new installation, which only its owner may read. */
export const makeDataDirectory = ({ dataDir }: Config): void => {
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(`DATA_DIR names ${dataDir}, which cannot be made a directory (${code}).`);
  }
};
