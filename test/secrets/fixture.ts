// The fixture of the rotation tests: a service with short intervals, operator commands in another process, and a second process
// of the service.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, vi } from 'vitest';
import type { ServiceSecretRow } from '../../src/platform/db/tables.ts';
import type { Limits } from '../../src/platform/settings/limits.ts';
import { addMilliseconds, seconds } from '../../src/platform/values/clock.ts';
import { cliSettingsOf, runInCliServer, type Settings } from '../support/cli.ts';
import type { DatabaseKind } from '../support/databases.ts';
import { programEnv } from '../support/environment.ts';
import { freePort } from '../support/freePort.ts';
import {
  makeScriptedConnector,
  type ScriptedConnector,
  scriptedAccount,
  scriptedTransaction,
} from '../support/scriptedConnector.ts';
import { startService, type TestService } from '../support/testService.ts';
import type { ServerRequest } from './serverProcess.ts';

export const shortIntervals: Partial<Limits> = { secretsPollMs: 80, workerPollMs: 30 };

export type RotationResult = {
  keyId: string;
  rows?: { renewed: number; invalid: number };
  retired: string[];
  kept: { keyId: string; use: Record<string, unknown> }[];
  removedFiles: string[];
};

export type RotationFixture = {
  service: TestService;
  /** The connector of Production applications; its user is `ada`. */
  connector: ScriptedConnector;
  settings: Settings;
  /** Runs `secrets …` and returns its JSON; throws with its output if it fails. */
  secrets<Result = RotationResult>(...args: string[]): Promise<Result>;
  /** The versions of a secret in the table. */
  versions(name: string): Promise<ServiceSecretRow[]>;
  /** The files of SECRETS_DIR whose names begin with a secret's name. */
  files(name: string): Promise<string[]>;
  /** Kills a command, and lets a minute pass, after which nothing waits for its process. */
  kill(command: ChildProcess): Promise<void>;
  /** Makes a connection's refresh due now, and waits until it has run. Returns the reason for its failure, or null. */
  refresh(connectionId: string): Promise<string | null>;
};

export const startRotationFixture = async (database: DatabaseKind): Promise<RotationFixture> => {
  const connector = makeScriptedConnector();
  connector.setAccounts('ada', [scriptedAccount({ transactions: [scriptedTransaction()] })]);
  const connectors = [connector.module];
  const service = await startService({ database, systemTime: true, limits: shortIntervals, connectors });
  const { db, config } = service.service;
  const settings = cliSettingsOf(config);
  return {
    ...{ service, connector, settings },
    secrets: async (...args) => {
      const result = await runInCliServer(settings, 'secrets', ...args, '--json');
      if (result.code !== 0) throw new Error(result.err);
      return result.json();
    },
    versions: (name) => db.read('service_secrets').where({ name }).orderBy('ordinal').select('*'),
    files: async (name) =>
      (await readdir(config.secretsDir)).filter((file) => file.split('.')[0] === name).sort(),
    kill: async (command) => {
      const exited = once(command, 'exit');
      command.kill('SIGKILL');
      await exited;
      const seenAt = addMilliseconds(new Date(), -seconds(61)).toISOString();
      await db.write('processes').where({ kind: 'command' }).update({ seenAt });
    },
    refresh: async (connectionId) => {
      const where = { connectionId };
      const dueAt = new Date(0).toISOString();
      await db.write('jobs').where(where).update({ dueAt, lastFailure: null });
      const job = async () => (await db.read('jobs').where(where).first())!;
      await vi.waitUntil(
        async () => {
          const { leaseToken, dueAt: due } = await job();
          return leaseToken === null && due > dueAt;
        },
        { timeout: 30_000, interval: 20 },
      );
      return (await job()).lastFailure;
    },
  };
};

export type SecondProcess = { url: string; stop(): Promise<void> };

/** Starts a second process of a service. */
export const startSecondProcess = async (request: ServerRequest): Promise<SecondProcess> => {
  const child = fork(new URL('serverProcess.ts', import.meta.url), {
    execArgv: [],
    env: programEnv,
  });
  const exited = once(child, 'exit');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  child.send({
    ...request,
    settings: { BASE_URL: url, DEMO: 'off', LOG_LEVEL: 'silent', ...request.settings, PORT: String(port) },
  });
  const failed = exited.then(() => expect.fail('The second process has ended.'));
  await Promise.race([once(child, 'message'), failed]);
  failed.catch(() => {});
  return {
    url,
    stop: async () => {
      child.disconnect();
      await exited;
    },
  };
};

/** Runs a function with a new directory, which is removed afterwards. */
export const withDirectory = async (run: (directory: string) => Promise<void>): Promise<void> => {
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-rotation-'));
  await run(directory).finally(() => rm(directory, { recursive: true, force: true }));
};
