// What comes after linking and is killed: a reconnection, and a refresh of the schedule. Both must end as if nothing
// had happened: the same connection and ids, the same token, and what the bank holds by now.
import { expect, vi } from 'vitest';
import type { SandboxFileRow } from '../support/sandboxFile.ts';
import { describeRefresh, describeSession } from './crashAssertions.ts';
import { crashAt, makeCrashInjector } from './crashInjector.ts';
import { expectedStateOfRows, makeLoginRows, type ReadState, readState } from './expectedState.ts';
import { type HeadlessWidget, openHeadlessWidget, type Result } from './headlessWidget.ts';
import type { Installation } from './installation.ts';
import { openTimedWidget } from './linkWithCrash.ts';

/** A connection to a loaded login, and how often what the bank holds has changed since. */
export type TrackedConnection = {
  result: Result;
  login: string;
  count: number;
  round: number;
  dueSince?: string;
};

const todayAsDate = (): string => new Date().toISOString().slice(0, 10);

/** What the bank holds after so many changes: each brings an entry, rewords another and withdraws a third. */
const rowsAfter = ({ login, count, round }: TrackedConnection): SandboxFileRow[] => {
  const rows = makeLoginRows(login, [count]);
  if (round === 0) return rows;
  const recent = { ...rows[0]!, date: todayAsDate() };
  return [
    ...rows,
    { ...recent, transaction: 'reworded', description: `REWORDED ${round}` },
    { ...recent, transaction: `round-${round}`, description: `ROUND ${round}`, amount: `-${round}.50` },
  ];
};

/** The bank's entries change, and the connection's refresh is due. */
export const makeRefreshDue = async (installation: Installation, kept: TrackedConnection): Promise<void> => {
  kept.round += 1;
  await installation.load(rowsAfter(kept));
  kept.dueSince = new Date().toISOString();
  const { connectionId } = kept.result;
  await installation.query(async ({ write }) => {
    // Everything that the bank shows is asked for, so that it lasts.
    await write('connections').where({ id: connectionId }).update({ refreshed_fully_at: null });
    await write('jobs').where({ connection_id: connectionId }).update({ due_at: kept.dueSince });
  });
};

export const untilRefresh = (
  installation: Installation,
  kept: TrackedConnection,
  state: RegExp,
): Promise<unknown> =>
  installation.query((db) =>
    vi.waitUntil(async () => state.test(await describeRefresh(db, kept.result.connectionId, kept.dueSince)), {
      timeout: 45_000,
      interval: 10,
    }),
  );

/** The token reads what the bank holds now, and what had not changed has kept its id. */
export const expectRefreshed = async (
  installation: Installation,
  kept: TrackedConnection,
  before: ReadState,
): Promise<void> => {
  await untilRefresh(installation, kept, /published/);
  const seen = await readState(installation, kept.result.scopedToken);
  expect(seen.connectionIds).toEqual(before.connectionIds);
  expect(seen.accountIds).toEqual(before.accountIds);
  expect(seen.state).toEqual(expectedStateOfRows(rowsAfter(kept)));
  const spoken = new Set(seen.textById.values());
  const stayed = [...before.textById].filter(([, text]) => spoken.has(text));
  expect(stayed.length).toBeGreaterThanOrEqual(kept.count);
  for (const [id, text] of stayed) expect(seen.textById.get(id)).toBe(text);
};

/** A refresh is killed so long after it was claimed. Says where the kill landed. */
export const refreshWithCrash = async (
  installation: Installation,
  kept: TrackedConnection,
  afterMs: number,
): Promise<string> => {
  const before = await readState(installation, kept.result.scopedToken);
  await makeRefreshDue(installation, kept);
  const strike = makeCrashInjector(installation, (db) =>
    describeRefresh(db, kept.result.connectionId, kept.dueSince),
  );
  await untilRefresh(installation, kept, /claimed|staged|published/);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  await strike.crash();
  const landed = await strike.recovered;
  await expectRefreshed(installation, kept, before);
  return landed;
};

/** A page has reconnected: the same connection, and no new token. */
export const expectReconnected = async (
  installation: Installation,
  page: HeadlessWidget,
  { result: { connectionId, accounts, scopedToken } }: TrackedConnection,
  before: ReadState,
): Promise<void> => {
  const ending = await page.ended;
  if (ending.kind !== 'finished') throw new Error(`Session ${page.linkSessionId} failed: ${ending.reason}.`);
  expect(ending.result).toMatchObject({ connectionId, accounts });
  for (const told of page.results) expect(told).toEqual(ending.result);
  expect(ending.result).not.toHaveProperty('scopedToken');
  const seen = await readState(installation, scopedToken);
  expect(seen).toEqual(before);
  expect(await installation.query((db) => describeRefresh(db, connectionId))).toBe('refresh published');
};

/** Reconnects without a kill, and says how long the import took. */
export const reconnectWithoutCrash = async (
  installation: Installation,
  kept: TrackedConnection,
): Promise<number> => {
  const before = await readState(installation, kept.result.scopedToken);
  const { connectionId } = kept.result;
  const { page, importMs } = openTimedWidget({ at: installation, username: kept.login, connectionId });
  await expectReconnected(installation, page, kept, before);
  return importMs();
};

/** A reconnection is killed so long after its import was ordered. Says where the kill landed. */
export const reconnectWithCrash = async (
  installation: Installation,
  kept: TrackedConnection,
  afterMs: number,
): Promise<string> => {
  const before = await readState(installation, kept.result.scopedToken);
  let page: HeadlessWidget | undefined;
  const strike = makeCrashInjector(installation, (db) => describeSession(db, page?.linkSessionId));
  page = openHeadlessWidget({
    ...{ at: installation, username: kept.login, connectionId: kept.result.connectionId, pollMs: 300 },
    ...crashAt({ kind: 'import', afterMs }, strike),
  });
  await page.ended;
  const landed = await strike.recovered;
  await expectReconnected(installation, page, kept, before);
  return landed;
};
