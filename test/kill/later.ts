// What comes after linking and is killed: a reconnection, and a refresh of the schedule. Both must end as if nothing
// had happened: the same connection and ids, the same token, and what the bank holds by now.
import { expect, vi } from 'vitest';
import type { FileRow } from '../transactions/bankFile.ts';
import { openTimed } from './everyMoment.ts';
import type { Installation } from './installation.ts';
import { openPage, type Page, type Result } from './page.ts';
import { refreshStanding, standing } from './sight.ts';
import { fallingAt, makeStrike } from './strike.ts';
import { readAll, rowsOf, type Seen, truthOfRows } from './truth.ts';

/** A connection to a loaded login, and how often what the bank holds has changed since. */
export type Kept = { result: Result; login: string; count: number; round: number; dueSince?: string };

const todayAsDate = (): string => new Date().toISOString().slice(0, 10);

/** What the bank holds after so many changes: each brings an entry, rewords another and withdraws a third. */
const rowsAfter = ({ login, count, round }: Kept): FileRow[] => {
  const rows = rowsOf(login, [count]);
  if (round === 0) return rows;
  const recent = { ...rows[0]!, date: todayAsDate() };
  return [
    ...rows,
    { ...recent, transaction: 'reworded', description: `REWORDED ${round}` },
    { ...recent, transaction: `round-${round}`, description: `ROUND ${round}`, amount: `-${round}.50` },
  ];
};

/** The bank's entries change, and the connection's refresh is due. */
export const makeRefreshDue = async (installation: Installation, kept: Kept): Promise<void> => {
  kept.round += 1;
  await installation.load(rowsAfter(kept));
  kept.dueSince = new Date().toISOString();
  const { connectionId } = kept.result;
  await installation.ask(async ({ write }) => {
    // Everything that the bank shows is asked for, so that it lasts.
    await write('connections').where({ id: connectionId }).update({ refreshed_fully_at: null });
    await write('jobs').where({ connection_id: connectionId }).update({ due_at: kept.dueSince });
  });
};

export const untilRefresh = (installation: Installation, kept: Kept, state: RegExp): Promise<unknown> =>
  installation.ask((db) =>
    vi.waitUntil(async () => state.test(await refreshStanding(db, kept.result.connectionId, kept.dueSince)), {
      timeout: 45_000,
      interval: 10,
    }),
  );

/** The token reads what the bank holds now, and what had not changed has kept its id. */
export const expectRefreshed = async (
  installation: Installation,
  kept: Kept,
  before: Seen,
): Promise<void> => {
  await untilRefresh(installation, kept, /published/);
  const seen = await readAll(installation, kept.result.scopedToken);
  expect(seen.connectionIds).toEqual(before.connectionIds);
  expect(seen.accountIds).toEqual(before.accountIds);
  expect(seen.truth).toEqual(truthOfRows(rowsAfter(kept)));
  const spoken = new Set(seen.live.values());
  const stayed = [...before.live].filter(([, text]) => spoken.has(text));
  expect(stayed.length).toBeGreaterThanOrEqual(kept.count);
  for (const [id, text] of stayed) expect(seen.live.get(id)).toBe(text);
};

/** A refresh is killed so long after it was claimed. Says where the kill landed. */
export const refreshThroughKill = async (
  installation: Installation,
  kept: Kept,
  afterMs: number,
): Promise<string> => {
  const before = await readAll(installation, kept.result.scopedToken);
  await makeRefreshDue(installation, kept);
  const strike = makeStrike(installation, (db) =>
    refreshStanding(db, kept.result.connectionId, kept.dueSince),
  );
  await untilRefresh(installation, kept, /claimed|staged|published/);
  await new Promise((resolve) => setTimeout(resolve, afterMs));
  await strike.fall();
  const landed = await strike.over;
  await expectRefreshed(installation, kept, before);
  return landed;
};

/** A page has reconnected: the same connection, and no new token. */
export const expectReconnected = async (
  installation: Installation,
  page: Page,
  { result: { connectionId, accounts, scopedToken } }: Kept,
  before: Seen,
): Promise<void> => {
  const ending = await page.ended;
  if (ending.kind !== 'finished') throw new Error(`Session ${page.sessionId} failed: ${ending.reason}.`);
  expect(ending.result).toMatchObject({ connectionId, accounts });
  for (const told of page.results) expect(told).toEqual(ending.result);
  expect(ending.result).not.toHaveProperty('scopedToken');
  const seen = await readAll(installation, scopedToken);
  expect(seen).toEqual(before);
  expect(await installation.ask((db) => refreshStanding(db, connectionId))).toBe('refresh published');
};

/** Reconnects without a kill, and says how long the import took. */
export const reconnectInPeace = async (installation: Installation, kept: Kept): Promise<number> => {
  const before = await readAll(installation, kept.result.scopedToken);
  const { connectionId } = kept.result;
  const { page, importMs } = openTimed({ at: installation, username: kept.login, connectionId });
  await expectReconnected(installation, page, kept, before);
  return importMs();
};

/** A reconnection is killed so long after its import was ordered. Says where the kill landed. */
export const reconnectThroughKill = async (
  installation: Installation,
  kept: Kept,
  afterMs: number,
): Promise<string> => {
  const before = await readAll(installation, kept.result.scopedToken);
  let page: Page | undefined;
  const strike = makeStrike(installation, (db) => standing(db, page?.sessionId));
  page = openPage({
    ...{ at: installation, username: kept.login, connectionId: kept.result.connectionId, pollMs: 300 },
    ...fallingAt({ kind: 'import', afterMs }, strike),
  });
  await page.ended;
  const landed = await strike.over;
  await expectReconnected(installation, page, kept, before);
  return landed;
};
