// A reconnect or a scheduled refresh during which the service is killed. Both must end as if nothing had happened: the
// same connection and ids, the same scoped token, and the current transactions of the bank.
import { expect, vi } from 'vitest';
import type { ConnectResult } from '../../widget/types.ts';
import { type LinkingPage, openLinkingPage } from '../page/linkingPage.ts';
import type { SandboxFileRow } from '../support/sandboxFile.ts';
import { describeRefresh, describeSession } from './crashAssertions.ts';
import { crashAt, makeCrashInjector } from './crashInjector.ts';
import { expectedStateOfRows, makeLoginRows, type ReadState, readState } from './expectedState.ts';
import type { Installation } from './installation.ts';
import { openTimedPage } from './linkWithCrash.ts';

/** A connection of a loaded login; `round` counts the subsequent changes at the bank. */
export type TrackedConnection = {
  result: ConnectResult;
  login: string;
  count: number;
  round: number;
  dueSince?: string;
};

const todayAsDate = (): string => new Date().toISOString().slice(0, 10);

/** The bank's rows after the changes: each adds a transaction, changes the text of another and removes a third. */
export const rowsAfter = ({
  login,
  count,
  round,
}: Pick<TrackedConnection, 'login' | 'count' | 'round'>): SandboxFileRow[] => {
  const rows = makeLoginRows(login, [count]);
  if (round === 0) return rows;
  const recent = { ...rows[0]!, date: todayAsDate() };
  const changed = { ...recent, transaction: 'changed', description: `CHANGED ${round}` };
  return [...rows, changed, rowOfRound(rows[0]!, round)];
};

const rowOfRound = (row: SandboxFileRow, round: number): SandboxFileRow => ({
  ...{ ...row, date: todayAsDate(), transaction: `round-${round}` },
  ...{ description: `ROUND ${round}`, amount: `-${round}.50` },
});

/** The stored rows after all rounds: a transaction that the bank has removed is not void within 20 hours. */
const storedAfter = (connection: TrackedConnection): SandboxFileRow[] => {
  const rows = rowsAfter(connection);
  const removed = Array.from({ length: connection.round - 1 }, (_, at) => rowOfRound(rows[0]!, at + 1));
  return [...rows, ...removed];
};

/** Changes the bank's transactions and makes the connection's refresh due. */
export const makeRefreshDue = async (
  installation: Installation,
  connection: TrackedConnection,
): Promise<void> => {
  connection.round += 1;
  await installation.load(rowsAfter(connection));
  connection.dueSince = new Date().toISOString();
  const { connectionId } = connection.result;
  await installation.query(async ({ write }) => {
    // Full refreshes, because they take longer.
    await write('connections').where({ id: connectionId }).update({ refreshedFullyAt: null });
    await write('jobs').where({ connectionId }).update({ dueAt: connection.dueSince });
  });
};

export const untilRefresh = (
  installation: Installation,
  connection: TrackedConnection,
  state: RegExp,
): Promise<unknown> =>
  installation.query((db) =>
    vi.waitUntil(
      async () => state.test(await describeRefresh(db, connection.result.connectionId, connection.dueSince)),
      {
        timeout: 45_000,
        interval: 10,
      },
    ),
  );

/** Expects that the scoped token reads the bank's transactions, and that unchanged ones have kept their ids. */
export const expectRefreshed = async (
  installation: Installation,
  connection: TrackedConnection,
  before: ReadState,
): Promise<void> => {
  await untilRefresh(installation, connection, /published/);
  const actual = await readState(installation, connection.result.scopedToken);
  expect(actual.connectionIds).toEqual(before.connectionIds);
  expect(actual.accountIds).toEqual(before.accountIds);
  expect(actual.state).toEqual(expectedStateOfRows(storedAfter(connection)));
  const texts = new Set(actual.textById.values());
  const unchanged = [...before.textById].filter(([, text]) => texts.has(text));
  expect(unchanged.length).toBeGreaterThanOrEqual(connection.count);
  for (const [id, text] of unchanged) expect(actual.textById.get(id)).toBe(text);
};

/** Kills this long after a refresh was claimed. Returns the state at the kill. */
export const refreshWithCrash = async (
  installation: Installation,
  connection: TrackedConnection,
  afterMs: number,
): Promise<string> => {
  const before = await readState(installation, connection.result.scopedToken);
  await makeRefreshDue(installation, connection);
  const injector = makeCrashInjector(installation, (db) =>
    describeRefresh(db, connection.result.connectionId, connection.dueSince),
  );
  await untilRefresh(installation, connection, /claimed|staged|published/);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  await injector.crash();
  const crashStates = await injector.recovered;
  await expectRefreshed(installation, connection, before);
  return crashStates;
};

/** Expects that a page has reconnected the same connection, without a new scoped token. */
export const expectReconnected = async (
  installation: Installation,
  page: LinkingPage,
  { result: { connectionId, accounts, scopedToken } }: TrackedConnection,
  before: ReadState,
): Promise<void> => {
  const outcome = await page.ended;
  if (outcome.kind !== 'finished')
    throw new Error(`Session ${page.linkSessionId} failed: ${outcome.reason}.`);
  expect(outcome.result).toMatchObject({ connectionId, accounts });
  for (const sent of page.results) expect(sent).toEqual(outcome.result);
  expect(outcome.result).not.toHaveProperty('scopedToken');
  const actual = await readState(installation, scopedToken);
  expect(actual).toEqual(before);
  expect(await installation.query((db) => describeRefresh(db, connectionId))).toBe('refresh published');
};

/** Reconnects without a kill, and returns the duration of the import in milliseconds. */
export const reconnectWithoutCrash = async (
  installation: Installation,
  connection: TrackedConnection,
): Promise<number> => {
  const before = await readState(installation, connection.result.scopedToken);
  const { connectionId } = connection.result;
  const { page, importMs } = openTimedPage({ installation, username: connection.login, connectionId });
  await expectReconnected(installation, page, connection, before);
  return importMs();
};

/** Kills this long after a reconnect was queued. Returns the state at the kill. */
export const reconnectWithCrash = async (
  installation: Installation,
  connection: TrackedConnection,
  afterMs: number,
): Promise<string> => {
  const before = await readState(installation, connection.result.scopedToken);
  let page: LinkingPage | undefined;
  const injector = makeCrashInjector(installation, (db) => describeSession(db, page?.linkSessionId));
  page = openLinkingPage({
    installation,
    username: connection.login,
    connectionId: connection.result.connectionId,
    speed: 1,
    ...crashAt({ kind: 'import', afterMs }, injector),
  });
  await page.ended;
  const crashStates = await injector.recovered;
  await expectReconnected(installation, page, connection, before);
  return crashStates;
};
