// A service and a worker on an empty database, with an application, an endpoint for its events, and a journal of acknowledged
// changes.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/platform/db/open.ts';
import { writeRows } from '../crash/expectedState.ts';
import { installApplication } from '../crash/installApplication.ts';
import { rowsAfter } from '../crash/refreshWithCrash.ts';
import { type Settings, temporaryDirectory } from '../support/cli.ts';
import { freePort } from '../support/freePort.ts';
import { withTunables } from '../support/tunables.ts';
import { openReceiver } from '../webhooks/receiver.ts';
import { makeCommands, startProcess } from './killProcesses.ts';

export type LinkedUser = { connectionId: string; scopedToken: string; login: string };

/** The logins at the bank, with their numbers of transactions. */
export const logins = [
  { login: 'first', count: 60 },
  { login: 'second', count: 130 },
] as const;

/** The acknowledged changes. */
export type Journal = {
  linked: Map<string, LinkedUser>;
  revoked: Set<string>;
  /** Connections whose credentials were broken at some time. Their refreshes may fail until they are reconnected. */
  broken: Set<string>;
  reconnected: number;
  /** The last loaded version of the bank's transactions. */
  round: number;
  /** The number of successes of each command. */
  commands: Map<string, number>;
  problems: string[];
};

export type Installation = Awaited<ReturnType<typeof startInstallation>>;

const receiverDelayMs = 50;

const tunables = withTunables({
  ...{ leaseSeconds: 1, workerPollMs: 50, webhookPollMs: 100, secretsPollMs: 100 },
  // Long enough that a live process on a busy machine is never taken for dead.
  ...{ processReportSeconds: 1, processExpirySeconds: 5 },
  ...{ sweepEveryMinutes: 1, sweepInitialDelaySeconds: 1, sweepGraceSeconds: 1 },
  ...{ fullRefreshDays: 1, retryInitialSeconds: 1, importAttemptsMax: 100 },
  // Every refresh with new texts stages some, and a sweep takes several statements.
  ...{ mergeMemoryBytes: 1024, sweepChunkRows: 20 },
  linkSignInsPerLogin: 1000,
});
const manyRequests = '10000000';
const limits: Settings = {
  RETENTION_DAYS: '1',
  ...{ API_REQUESTS_PER_MINUTE: manyRequests, WIDGET_REQUESTS_PER_MINUTE: manyRequests },
  ...{ LINK_SIGN_INS_PER_ADDRESS: manyRequests, LINK_SIGN_INS_PER_APPLICATION: manyRequests },
};

/** Starts the service and a worker on an empty database, with an application and an endpoint for its events. */
export const startInstallation = async (databaseUrl: string | undefined) => {
  const directory = await temporaryDirectory();
  const receiver = await openReceiver();
  let delivering = 0;
  receiver.answer = async (response) => {
    delivering += 1;
    await sleep(receiverDelayMs);
    delivering -= 1;
    response.writeHead(204).end();
  };
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const settings: Settings = {
    ...{ DATA_DIR: directory.path, DATABASE_URL: databaseUrl ?? `sqlite:${join(directory.path, 'data.db')}` },
    ...{ PORT: String(port), BASE_URL: url, ALLOWED_NETWORKS: '127.0.0.1', ...limits, ...tunables },
  };
  const { run, ...application } = await installApplication(settings);
  await run('webhooks', 'create', '--application', application.applicationId, '--url', receiver.url);
  const db = await openDatabase(settings.DATABASE_URL!);
  const journal: Journal = {
    ...{ linked: new Map(), revoked: new Set(), broken: new Set(), reconnected: 0 },
    ...{ round: 0, commands: new Map(), problems: [] },
  };
  const service = startProcess(['serve', '--no-worker'], settings, journal.problems);
  const worker = startProcess(['worker'], settings, journal.problems);
  const commands = makeCommands(settings, journal);
  const load = async (): Promise<void> => {
    const round = journal.round + 1;
    const path = join(directory.path, 'bank.csv');
    const rows = logins.flatMap((login) => rowsAfter({ ...login, round }));
    await writeRows(path, rows);
    await commands.run('sandbox', 'load', path);
    journal.round = round;
  };
  await load();
  await Promise.all([service.ready(), worker.ready()]);
  return {
    ...{ url, ...application, directory: directory.path, db, journal },
    ...{ receiver, service, worker, commands, load },
    /** Webhooks that wait for the receiver's response. */
    delivering: () => delivering,
    close: async (): Promise<void> => {
      // Everything is stopped before the exit codes are checked, even after a time-out.
      await commands.stop();
      const codes = await Promise.all([service.stop(), worker.stop()]);
      await db.close();
      await receiver.close();
      await directory.remove();
      if (codes.some((code) => code !== 0)) throw new Error(`Processes stopped with ${codes.join(', ')}.`);
    },
  };
};
