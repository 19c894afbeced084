// The load of a client and an operator while processes are killed: link, reconnect, revoke, refresh, sweep and rotate, all
// concurrently.
import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../client/index.ts';
import { secretNames } from '../../src/operations/secrets/names.ts';
import { type LinkOutcome, openLinkingPage } from '../page/linkingPage.ts';
import { type Installation, type Journal, type LinkedUser, logins } from './killInstallation.ts';

const activeMax = 8;
const revokePauseMsMax = 500;
const retryMs = 50;

/** The number of operations of each kind in flight. */
export type Doing = { linking: number; revoking: number };

/** Opens a page, which continues through every kill until it has linked or reconnected. */
const runPage = (
  run: Installation,
  username: string,
  options: { externalUserId?: string; connectionId?: string },
): Promise<LinkOutcome> =>
  openLinkingPage({ installation: run, username, ...options }).ended.catch(
    (error): LinkOutcome => ({ kind: 'failed', reason: String(error) }),
  );

/** Links a user; the page acknowledges the result. */
export const linkOne = async (run: Installation, login: string): Promise<LinkedUser | undefined> => {
  const outcome = await runPage(run, login, { externalUserId: crypto.randomUUID() });
  if (outcome.kind === 'failed') {
    run.journal.problems.push(`linking failed: ${outcome.reason}`);
    return undefined;
  }
  const { connectionId, scopedToken = '' } = outcome.result;
  const linked = { connectionId, scopedToken, login };
  run.journal.linked.set(connectionId, linked);
  return linked;
};

/** Reconnects a connection whose stored credentials were broken. */
const reconnectOne = async (run: Installation, connectionId: string): Promise<void> => {
  const { db, journal } = run;
  const row = await db.read('connections').where({ id: connectionId }).first('endUserId', 'credentials');
  const key = { id: connectionId, endUserId: row!.endUserId };
  journal.broken.add(connectionId);
  await db
    .write('connections')
    .where(key)
    .update({ credentials: row!.credentials!.subarray(1) });
  const { login } = journal.linked.get(connectionId)!;
  const outcome = await runPage(run, login, { connectionId });
  if (outcome.kind === 'failed') journal.problems.push(`reconnecting failed: ${outcome.reason}`);
  else journal.reconnected += 1;
};

/** Revokes a connection; retries until the service responds. */
export const revokeOne = async (
  { url, apiKey, journal }: Installation,
  connectionId: string,
): Promise<void> => {
  const client = createClient({ baseUrl: url, apiKey, retries: 0 });
  const params = { path: { connectionId } };
  for (;;) {
    const answer = await client.DELETE('/connections/{connectionId}', { params }).catch(() => undefined);
    if (answer?.response.status === 204) break;
    // The connection was swept after a revocation whose response was lost.
    if (answer?.response.status === 404) break;
    await sleep(retryMs);
  }
  journal.revoked.add(connectionId);
};

/** The connections that are not being revoked or reconnected. */
const activeOf = ({ linked }: Journal, busy: ReadonlySet<string>): string[] =>
  [...linked.keys()].filter((id) => !busy.has(id));

/** Runs all operations of the client and the commands until stopped. */
export const startLoad = (run: Installation, random: () => number) => {
  const { journal, commands } = run;
  const doing: Doing = { linking: 0, revoking: 0 };
  const busy = new Set<string>();
  let isStopped = false;
  const repeat = async (step: () => Promise<unknown>): Promise<void> => {
    while (!isStopped) await step();
  };
  const link = async (): Promise<void> => {
    if (activeOf(journal, busy).length >= activeMax) return sleep(retryMs);
    doing.linking += 1;
    await linkOne(run, logins[Math.floor(random() * logins.length)]!.login);
    doing.linking -= 1;
  };
  const revoke = async (): Promise<void> => {
    const active = activeOf(journal, busy);
    if (active.length < activeMax / 2) return sleep(retryMs);
    const id = active[Math.floor(random() * active.length)]!;
    busy.add(id);
    doing.revoking += 1;
    await revokeOne(run, id);
    doing.revoking -= 1;
    await sleep(random() * revokePauseMsMax);
  };
  const reconnect = async (): Promise<void> => {
    await sleep(random() * revokePauseMsMax);
    const id = activeOf(journal, busy)[0];
    if (id === undefined) return;
    busy.add(id);
    doing.linking += 1;
    await reconnectOne(run, id);
    doing.linking -= 1;
    busy.delete(id);
  };
  let at = 0;
  const steps = [
    () => run.load(),
    () => commands.run('refresh', 'run'),
    () => commands.run('secrets', 'rotate', secretNames[at % secretNames.length]!),
    () => commands.run('sandbox', 'advance', '--days', '1'),
    () => commands.run('retention', 'sweep'),
  ];
  const command = async (): Promise<void> => {
    for (const step of steps) {
      if (!isStopped) await step();
    }
    at += 1;
  };
  const loops = [link, link, link, link, revoke, reconnect, command].map(repeat);
  return {
    doing,
    stop: async (): Promise<void> => {
      isStopped = true;
      await Promise.all(loops);
    },
  };
};
