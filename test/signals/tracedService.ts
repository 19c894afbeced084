// The service in its own process with the documented preload file and the OpenTelemetry SDK, as an operator starts it.
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { installApplication } from '../crash/installApplication.ts';
import { type Settings, startLongRunning, temporaryDirectory } from '../support/cli.ts';
import { type DatabaseKind, databases } from '../support/databases.ts';
import type { TestApplication } from '../support/testService.ts';
import { withTunables } from '../support/tunables.ts';

const preloadFile = fileURLToPath(new URL('../../deploy/telemetry.mjs', import.meta.url));

/** The settings with which a process exports its spans soon. */
export const traceTo = (url: string): Settings => ({
  NODE_OPTIONS: `--import=${preloadFile}`,
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_BSP_SCHEDULE_DELAY: '50',
});

export type TracedService = {
  url: string;
  settings: Settings;
  organizationId: string;
  /** The first application, in the Sandbox. */
  application: TestApplication;
  /** Runs another command and returns its result. */
  run(...args: string[]): Promise<Record<string, string>>;
  /** The standard error of the process. */
  errors(): string;
  /** Returns the exit code. */
  stop(): Promise<number | null>;
};

/** Starts `serve` on a fresh database; it is stopped when the test ends. */
export const startTracedService = async (
  env: Settings,
  database: DatabaseKind = databases[0]!,
): Promise<TracedService> => {
  const directory = await temporaryDirectory();
  onTestFinished(directory.remove);
  const { url: databaseUrl, drop } = await database.create();
  onTestFinished(drop);
  const settings: Settings = {
    ...{ DATA_DIR: directory.path, DATABASE_URL: databaseUrl, PORT: '0', DEMO: 'off' },
    ALLOWED_NETWORKS: '127.0.0.0/8',
    ...withTunables({ workerPollMs: 50, webhookPollMs: 20, sandboxClockPollMs: 50 }),
  };
  const { applicationId: id, apiKey, organizationId, run } = await installApplication(settings);
  const server = await startLongRunning({ ...settings, ...env }, 'serve');
  let stopped: Promise<number | null> | undefined;
  const stop = () => {
    stopped ??= server.stop();
    return stopped;
  };
  onTestFinished(async () => void (await stop()));
  return {
    ...{ url: `http://127.0.0.1:${server.result.port}`, settings, organizationId, run, stop },
    errors: () => server.output.err,
    application: { id, apiKey, keyId: '' },
  };
};
