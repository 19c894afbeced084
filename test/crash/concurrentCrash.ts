// Many conversations that one kill hits at once, each somewhere else: what takes a loop of kills a few minutes is
// seen here in a few seconds.
import type { components } from '../../generated/widget.ts';
import type { Database } from '../../src/db/open.ts';
import { describeRefresh, describeSession } from './crashAssertions.ts';
import { type CrashInjector, crashAt, makeCrashInjector, matchesResponse } from './crashInjector.ts';
import { readState } from './expectedState.ts';
import {
  type HeadlessWidget,
  type HeadlessWidgetOptions,
  openHeadlessWidget,
  type RequestKind,
} from './headlessWidget.ts';
import type { Installation } from './installation.ts';
import { expectLinked, type LinkUser } from './linkWithCrash.ts';
import {
  expectReconnected,
  expectRefreshed,
  makeRefreshDue,
  type TrackedConnection,
} from './refreshWithCrash.ts';

type View = components['schemas']['LinkSessionView'];
type ResponseMatch = { asked?: RequestKind; shows?: View['state'] };
type PausedWidget = { page: HeadlessWidget; arrived: Promise<void> };

/** A page that goes as far as one answer, and does not hear it because the service dies. */
const pauseAtResponse = (
  installation: Installation,
  username: string,
  strike: Pick<CrashInjector, 'died'>,
  place: ResponseMatch,
): PausedWidget => {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  let waits = true;
  const page = openHeadlessWidget({
    ...{ at: installation, username },
    afterResponse: async (question, view) => {
      if (!waits || !matchesResponse(place, question, view)) return 'arrives';
      waits = false;
      resolve();
      await strike.died;
      return 'lost';
    },
  });
  return { page, arrived };
};

/** Where the pages of people who are asked for nothing are, and of those who are asked for a code. */
const pausePoints: Record<'short' | 'asked', ResponseMatch[]> = {
  short: [{ asked: 'start' }, { asked: 'consent' }, { shows: 'finished' }, { asked: 'acknowledge' }],
  asked: [{ asked: 'credentials' }, { asked: 'answer' }],
};

/** A page that waits before it asks for something, until it is let go. */
const pauseAtRequest = (
  visit: HeadlessWidgetOptions,
  held: RequestKind,
): PausedWidget & { release(): void } => {
  const arrival = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const beforeRequest = async (asked: RequestKind): Promise<void> => {
    if (asked !== held) return;
    arrival.resolve();
    await released.promise;
  };
  return {
    page: openHeadlessWidget({ ...visit, beforeRequest }),
    arrived: arrival.promise,
    release: released.resolve,
  };
};

export type ConcurrentCrash = {
  short: LinkUser;
  asked: LinkUser;
  long: LinkUser;
  refreshed: TrackedConnection;
  reconnected: TrackedConnection;
  /** So long after the import, the reconnection and the refresh were ordered. */
  afterMs: number;
};

/** Kills in the middle of all of it, and sees all of it end well. Says where the kill landed. */
export const crashConcurrently = async (
  installation: Installation,
  crowd: ConcurrentCrash,
): Promise<string[]> => {
  const { refreshed, reconnected } = crowd;
  const before = {
    refreshed: await readState(installation, refreshed.result.scopedToken),
    reconnected: await readState(installation, reconnected.result.scopedToken),
  };
  const pages: HeadlessWidget[] = [];
  const strike = makeCrashInjector(installation, async (db: Database) => [
    ...(await Promise.all(pages.map(({ linkSessionId }) => describeSession(db, linkSessionId)))),
    await describeRefresh(db, refreshed.result.connectionId, refreshed.dueSince),
  ]);
  const waiting = (['short', 'asked'] as const).flatMap((who) =>
    pausePoints[who].map((place) => {
      return { ...pauseAtResponse(installation, crowd[who].username, strike, place), person: crowd[who] };
    }),
  );
  const visit = { at: installation, pollMs: 300 };
  const { connectionId } = reconnected.result;
  const reconnecting = pauseAtRequest({ ...visit, username: reconnected.login, connectionId }, 'credentials');
  const hooks = crashAt({ kind: 'import', afterMs: crowd.afterMs }, strike);
  const importing = pauseAtRequest({ ...visit, username: crowd.long.username, ...hooks }, 'selectAccounts');
  pages.push(...[...waiting, reconnecting, importing].map(({ page }) => page));
  await Promise.all([...waiting, reconnecting, importing].map(({ arrived }) => arrived));
  await makeRefreshDue(installation, refreshed);
  // Whoever looks for the work of these two finds the refresh as well.
  reconnecting.release();
  importing.release();
  await Promise.all(pages.map(({ ended }) => ended));
  const landed = await strike.recovered;
  for (const { page, person } of waiting) await expectLinked(installation, page, person);
  await expectLinked(installation, importing.page, crowd.long);
  await expectReconnected(installation, reconnecting.page, reconnected, before.reconnected);
  await expectRefreshed(installation, refreshed, before.refreshed);
  return landed;
};
