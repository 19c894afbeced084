// Starts a service on a copy of the fixture's database with one changed value. Then everybody reads, link sessions
// continue, time passes until all connections have been refreshed twice, once fully, and everybody reads again.
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openServer } from '../../src/interfaces/http/listen.ts';
import { readConfig } from '../../src/platform/settings/config.ts';
import { makeLog } from '../../src/platform/telemetry/log.ts';
import { type Clock, seconds } from '../../src/platform/values/clock.ts';
import { buildService } from '../../src/service.ts';
import { anonymousUser } from '../http/dashboard/users.ts';
import type { Received } from './banks.ts';
import type { Change } from './changes.ts';
import { type Fixture, limits } from './fixtureTypes.ts';
import { copyDatabase, openRawDatabase, type Row } from './rawDatabase.ts';
import { readAll, readDashboard, readOverSimplefin, signIn } from './requests.ts';
import { type LogLine, type Observation, type Running, settle } from './running.ts';
import { continueSession, reconnectAgain } from './sessions.ts';
import type { ReceivedWebhook } from './webhooks.ts';

export type ChangeResult =
  | { kind: 'refused by the database' }
  | { kind: 'not started'; error: Error }
  | {
      kind: 'played';
      observations: Observation[];
      received: Received[];
      webhooks: ReceivedWebhook[];
      /** The failures of each job's last attempt at the end, by connection. */
      failures: Map<string, string>;
      /** The reasons of connections that wait for a reconnect. */
      reconnectReasons: Map<string, string>;
      boxesBefore: Box[];
      boxes: Box[];
      unhandled: unknown[];
    };

/** Bytes that are sealed to an end user's public key, and the connection that they belong to. */
export type Box = { table: string; endUserId: string; connectionId: string; sealed: Buffer };

/** `sandbox clocks`: no time passes, but the owners advance the sandbox clocks. */
export type Mode = 'all' | 'without sign-ins' | 'sandbox clocks';

export const modeOf = ({ table }: Change): Mode => {
  if (table === 'sandbox_clocks') return 'sandbox clocks';
  return tablesWithoutSignIn.has(table) ? 'without sign-ins' : 'all';
};

/** Returns the baseline if there is no change. */
export const runChange = async (fixture: Fixture, mode: Mode, change?: Change): Promise<ChangeResult> => {
  const database = await copyDatabase(fixture.kind, fixture.database);
  const directory = await mkdtemp(join(tmpdir(), 'tampering-'));
  try {
    const raw = await openRawDatabase(database.url);
    try {
      await change?.apply(raw);
    } catch {
      return { kind: 'refused by the database' };
    } finally {
      await raw.close();
    }
    return await runOn(fixture, database.url, directory, mode);
  } finally {
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  }
};

const runOn = async (
  fixture: Fixture,
  databaseUrl: string,
  directory: string,
  mode: Mode,
): Promise<ChangeResult> => {
  const boxesBefore = await readBoxes(databaseUrl);
  const unhandled: unknown[] = [];
  const onUnhandled = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', onUnhandled);
  fixture.banks.received.length = 0;
  fixture.webhooks.received.length = 0;
  try {
    const running = await start(fixture, databaseUrl, directory, mode);
    if (running instanceof Error) return { kind: 'not started', error: running };
    try {
      await play(running, mode);
    } finally {
      await running.close();
    }
    return {
      ...{ kind: 'played', observations: running.observations, received: [...fixture.banks.received] },
      webhooks: [...fixture.webhooks.received],
      ...(await readJobs(databaseUrl)),
      ...{ boxesBefore, boxes: await readBoxes(databaseUrl), unhandled },
    };
  } finally {
    process.off('unhandledRejection', onUnhandled);
  }
};

const start = async (
  fixture: Fixture,
  databaseUrl: string,
  directory: string,
  mode: Mode,
): Promise<(Running & { close(): Promise<void> }) | Error> => {
  await cp(fixture.secretsDir, join(directory, 'secrets'), { recursive: true });
  const config = readConfig(
    {
      ...{ PORT: String(fixture.port), BASE_URL: `http://127.0.0.1:${fixture.port}` },
      ...{ DATA_DIR: directory, DATABASE_URL: databaseUrl, LOG_LEVEL: 'warn' },
      ALLOWED_NETWORKS: fixture.webhooks.networks,
    },
    { ...limits, shutdownIdleMs: 0 },
  );
  const logged: LogLine[] = [];
  let offset = fixture.at - Date.now();
  const now = (): Date => new Date(Date.now() + offset);
  const clock: Clock = { real: now, now, organizationsAhead: () => [] };
  const log = makeLog('warn', { write: (line: string) => void logged.push(JSON.parse(line)) });
  try {
    const service = await buildService(config, log, {
      worker: true,
      // Only the system clock follows the sandbox clocks.
      clock: mode === 'sandbox clocks' ? undefined : clock,
      connectors: fixture.banks.modules,
    });
    const server = await openServer(config, log);
    server.serve(service);
    return {
      ...{ fixture, logged, url: config.baseUrl, service, observations: [] },
      advance: (milliseconds) => {
        offset += milliseconds;
      },
      close: async () => {
        await server.close();
        await service.close();
      },
    };
  } catch (error) {
    return error as Error;
  }
};

const play = async (running: Running, mode: Mode): Promise<void> => {
  const { service, advance } = running;
  await settle(running);
  await readAll(running, 'before');
  await readOverSimplefin(running, 'before');
  if (mode === 'all') {
    for (const organization of running.fixture.organizations) await signIn(running, organization);
  }
  for (const session of running.fixture.sessions) await continueSession(running, session);
  await reconnectAgain(running);
  for (let refresh = 0; refresh < 2; refresh++) {
    if (mode === 'sandbox clocks') await advanceSandboxes(running);
    advance(seconds(refreshIntervalSeconds));
    service.worker?.wake();
    await settle(running);
  }
  await readAll(running, 'after');
  await readOverSimplefin(running, 'after');
  for (const organization of running.fixture.organizations) await readDashboard(running, organization);
};

/** No sign-in reads these, and hashing passwords takes long. */
const tablesWithoutSignIn = new Set([
  ...['accounts', 'block_deletions', 'connections', 'connection_events', 'data_keys', 'end_users'],
  ...['external_users', 'jobs', 'link_sessions', 'resource_owners', 'sandbox_kv', 'sandbox_loads'],
  ...['sandbox_logins', 'sandbox_transactions', 'staged_texts', 'transaction_blocks', 'transactions'],
  ...['webhook_deliveries', 'webhook_endpoints'],
]);

/** A little longer than the interval of refreshes, whose jitter is 10 %. */
const refreshIntervalSeconds = 70 * 60;

const advanceSandboxes = async ({ url, fixture, service }: Running): Promise<void> => {
  for (const { id, owner } of fixture.organizations) {
    const user = anonymousUser(url);
    user.setCookie(owner.user.cookie());
    await user.client.POST('/management/organizations/{organizationId}/sandbox/clock', {
      params: { path: { organizationId: id } },
      body: { seconds: refreshIntervalSeconds },
    });
  }
  await sleep(2 * service.config.limits.sandboxClockPollMs);
};

const readJobs = async (url: string) => {
  const raw = await openRawDatabase(url);
  const pick = (rows: Row[], key: string, column: string): Map<string, string> =>
    new Map(rows.flatMap((row) => (row[column] === null ? [] : [[String(row[key]), String(row[column])]])));
  const failures = pick(await raw.rows('jobs'), 'connection_id', 'last_failure');
  const reconnectReasons = pick(await raw.rows('connections'), 'id', 'reconnect_reason');
  await raw.close();
  return { failures, reconnectReasons };
};

/** The data keys, which are sealed to end users. */
const readBoxes = async (url: string): Promise<Box[]> => {
  const raw = await openRawDatabase(url);
  const toBoxes = async (table: string, column: string): Promise<Box[]> =>
    (await raw.rows(table)).map((row) => ({
      table,
      endUserId: String(row.end_user_id),
      connectionId: String(row.connection_id),
      sealed: row[column] as Buffer,
    }));
  const boxes = [...(await toBoxes('data_keys', 'sealed')), ...(await toBoxes('accounts', 'key_sealed'))];
  await raw.close();
  return boxes;
};
