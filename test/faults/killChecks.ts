// Compares the changes acknowledged while processes were killed with the service's state at the end, and repeats every kind of
// operation, to show that no leftover lease or lock blocks it. Each difference is a sentence.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { createClient } from '../../client/index.ts';
import { openFingerprintKey } from '../../src/flows/merge/fingerprints.ts';
import { deriveKeyPair, type KeyPair } from '../../src/platform/vault/keys.ts';
import { unsealForWorker } from '../../src/platform/vault/workerBoxes.ts';
import { readSecrets } from '../canary/attack.ts';
import { countOrphans } from '../crash/crashAssertions.ts';
import { expectedStateOfRows, readState } from '../crash/expectedState.ts';
import { rowsAfter } from '../crash/refreshWithCrash.ts';
import { keysetOf } from '../support/keysetOf.ts';
import { type Installation, type LinkedUser, logins } from './killInstallation.ts';
import { linkOne, revokeOne } from './killLoad.ts';

const settleMsMax = 60_000;
const pollMs = 100;

/** Runs one of each operation, then refreshes all connections; after that, all of them have the bank's last round. */
export const doEverythingOnce = async (run: Installation): Promise<void> => {
  const { commands, load } = run;
  const linked = await linkOne(run, logins[0].login);
  if (linked) await revokeOne(run, linked.connectionId);
  await linkOne(run, logins[1].login);
  await commands.run('secrets', 'rotate', 'worker');
  await load();
  // By then, a full refresh and the deletion of revoked connections are due.
  await commands.run('sandbox', 'advance', '--days', '2');
  await commands.run('refresh', 'run');
  // A transaction that the bank removed becomes void once a second reading lacks it.
  await commands.run('sandbox', 'advance', '--days', '1');
  await commands.run('refresh', 'run');
  await commands.run('retention', 'sweep');
};

/** Waits until no job is due or claimed, and every event is delivered. After a time-out, returns the unfinished ones. */
const settle = async ({ db }: Installation): Promise<string[]> => {
  for (const deadline = Date.now() + settleMsMax; ; await sleep(pollMs)) {
    const busy = await db
      .read('jobs')
      .whereNotNull('leaseToken')
      .orWhereNot({ kind: 'refresh' })
      .orWhereNotNull('lastFailure')
      .select('kind', 'lastFailure');
    const undelivered = await db.read('webhook_deliveries').whereNot({ state: 'delivered' }).select('type');
    if (busy.length + undelivered.length === 0) return [];
    if (Date.now() < deadline) continue;
    return [
      ...busy.map(({ kind, lastFailure }) => `a job is left: ${kind}, ${lastFailure}`),
      ...undelivered.map(({ type }) => `an event was not delivered: ${type}`),
    ];
  }
};

/** The bank's transactions by account, for each round. */
const bankStates = (login: string, round: number) => {
  const { count } = logins.find((one) => one.login === login)!;
  return Array.from({ length: round + 1 }, (_, at) =>
    expectedStateOfRows(rowsAfter({ login, count, round: at })),
  );
};

/** The rows that only the bank has, and the rows that only the service has, by account. */
const describeDifference = (bank: Map<string, string[]>, service: Map<string, string[]>): string =>
  [...new Set([...bank.keys(), ...service.keys()])]
    .map((account) => {
      const [atBank = [], here = []] = [bank.get(account), service.get(account)];
      const missing = atBank.filter((one) => !here.includes(one));
      const more = here.filter((one) => !atBank.includes(one));
      return `${account} lacks ${missing.join(' ') || 'nothing'}, has ${more.join(' ') || 'nothing'} besides`;
    })
    .join('; ');

const checkConnection = async (
  { url, apiKey, journal }: Installation,
  { connectionId, scopedToken, login }: LinkedUser,
): Promise<string[]> => {
  const client = createClient({ baseUrl: url, apiKey });
  const params = { path: { connectionId } };
  const { data, response } = await client.GET('/connections/{connectionId}', { params });
  const isRevoked = journal.revoked.has(connectionId);
  if (isRevoked && response.status === 404) return [];
  const status = data?.connection.status ?? response.status;
  const expected = isRevoked ? 'revoked' : 'active';
  if (status !== expected) return [`${connectionId} should be ${expected} and is ${status}`];
  const states = bankStates(login, journal.round);
  // A revoked connection has the transactions of an earlier round.
  const possible = isRevoked ? states : states.slice(-1);
  try {
    const { connectionIds, state } = await readState({ url, apiKey }, scopedToken);
    if (!isDeepStrictEqual(connectionIds, [connectionId])) return [`${connectionId} is not the only one`];
    if (possible.some((one) => isDeepStrictEqual(one, state))) return [];
    const differing = describeDifference(possible.at(-1)!, state);
    return [`${connectionId} (${status}) has other transactions than the bank: ${differing}`];
  } catch (error) {
    return [`${connectionId} (${status}) cannot be read: ${error}`];
  }
};

/** Each event of the outbox arrived, with one body per id, and each acknowledged change has an event. */
const checkEvents = async ({ db, journal, receiver }: Installation): Promise<string[]> => {
  const problems: string[] = [];
  const bodies = new Map<string, string>();
  for (const { id, body } of receiver.received) {
    if ((bodies.get(id) ?? body) !== body) problems.push(`${id} has two bodies`);
    bodies.set(id, body);
  }
  const deliveries = await db.read('webhook_deliveries').select('eventId', 'body', 'type', 'connectionId');
  for (const { eventId, body } of deliveries) {
    if (bodies.get(eventId) !== body) problems.push(`${eventId} did not arrive as it was queued`);
  }
  const queued = new Set(deliveries.map(({ eventId }) => eventId));
  for (const id of bodies.keys()) if (!queued.has(id)) problems.push(`${id} is lost from the outbox`);
  const changes = deliveries.map(({ type, connectionId }) => `${type} ${connectionId}`);
  const once = [
    ...[...journal.linked.keys()].map((id) => `connection.created ${id}`),
    ...[...journal.revoked].map((id) => `connection.revoked ${id}`),
  ];
  for (const change of once) {
    const count = changes.filter((one) => one === change).length;
    if (count !== 1) problems.push(`${count} events of ${change}`);
  }
  return problems;
};

const checkDatabase = async ({ db }: Installation): Promise<string[]> => {
  const orphans = Object.entries(await countOrphans(db));
  const problems = orphans
    .filter(([, count]) => count > 0)
    .map(([name, count]) => `${count} orphans: ${name}`);
  if (db.dialect !== 'sqlite') return problems;
  const integrity = JSON.stringify(await db.read.raw('pragma integrity_check'));
  const foreignKeys = JSON.stringify(await db.read.raw('pragma foreign_key_check'));
  if (!/"ok"/.test(integrity)) problems.push(`integrity_check: ${integrity}`);
  if (foreignKeys !== '[]') problems.push(`foreign_key_check: ${foreignKeys}`);
  return problems;
};

/** Each box that is sealed to the worker opens with its secret. */
const checkBoxes = async ({ db, directory }: Installation): Promise<string[]> => {
  const secrets = [...(await readSecrets(join(directory, 'secrets')))];
  const isWorkers = ([name]: [string, Buffer]): boolean => /^worker(\.[0-9a-f]+)?$/.test(name);
  const pairs = secrets.filter(isWorkers).map(([, secret]) => deriveKeyPair(secret));
  const keys = keysetOf(...(pairs as [KeyPair, ...KeyPair[]]));
  const problems: string[] = [];
  const open = (name: string, run: () => unknown): void => {
    try {
      run();
    } catch (error) {
      problems.push(`${name} does not open: ${error}`);
    }
  };
  for (const row of await db.read('connections').whereNotNull('credentials')) {
    open(`the fingerprint key of ${row.id}`, () => openFingerprintKey(row, keys));
    open(`the credentials of ${row.id}`, () =>
      unsealForWorker(row.credentials!, ['credentials', row.id], keys),
    );
  }
  for (const { id, secret } of await db.read('webhook_endpoints').select('id', 'secret'))
    open(`the secret of ${id}`, () => unsealForWorker(secret, ['webhookEndpoint', id], keys));
  return problems;
};

/** All faults, as sentences; empty if there are none. */
export const findProblems = async (run: Installation): Promise<string[]> => {
  const problems = [...(await settle(run))];
  for (const linked of run.journal.linked.values()) problems.push(...(await checkConnection(run, linked)));
  problems.push(...(await checkEvents(run)), ...(await checkDatabase(run)), ...(await checkBoxes(run)));
  return [...run.journal.problems, ...problems];
};
