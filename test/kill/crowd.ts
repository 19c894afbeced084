// Many conversations that one kill hits at once, each somewhere else: what takes a loop of kills a few minutes is
// seen here in a few seconds.
import type { components } from '../../generated/widget.ts';
import type { Database } from '../../src/db/open.ts';
import { expectWellEnded, type Person } from './everyMoment.ts';
import type { Installation } from './installation.ts';
import { expectReconnected, expectRefreshed, type Kept, makeRefreshDue } from './later.ts';
import { type Asked, openPage, type Page, type Visit } from './page.ts';
import { refreshStanding, standing } from './sight.ts';
import { fallingAt, isAnswer, makeStrike, type Strike } from './strike.ts';
import { readAll } from './truth.ts';

type View = components['schemas']['View'];
type Place = { asked?: Asked; shows?: View['state'] };
type Waiting = { page: Page; arrived: Promise<void> };

/** A page that goes as far as one answer, and does not hear it because the service dies. */
const waitAt = (
  installation: Installation,
  username: string,
  strike: Pick<Strike, 'death'>,
  place: Place,
): Waiting => {
  const { promise: arrived, resolve } = Promise.withResolvers<void>();
  let waits = true;
  const page = openPage({
    ...{ at: installation, username },
    answering: async (question, view) => {
      if (!waits || !isAnswer(place, question, view)) return 'arrives';
      waits = false;
      resolve();
      await strike.death;
      return 'lost';
    },
  });
  return { page, arrived };
};

/** Where the pages of people who are asked for nothing are, and of those who are asked for a code. */
const places: Record<'short' | 'asked', Place[]> = {
  short: [{ asked: 'start' }, { asked: 'consent' }, { shows: 'finished' }, { asked: 'acknowledge' }],
  asked: [{ asked: 'credentials' }, { asked: 'answer' }],
};

/** A page that waits before it asks for something, until it is let go. */
const holdAt = (visit: Visit, held: Asked): Waiting & { release(): void } => {
  const arrival = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const asking = async (asked: Asked): Promise<void> => {
    if (asked !== held) return;
    arrival.resolve();
    await released.promise;
  };
  return { page: openPage({ ...visit, asking }), arrived: arrival.promise, release: released.resolve };
};

export type Crowd = {
  short: Person;
  asked: Person;
  long: Person;
  refreshed: Kept;
  reconnected: Kept;
  /** So long after the import, the reconnection and the refresh were ordered. */
  afterMs: number;
};

/** Kills in the middle of all of it, and sees all of it end well. Says where the kill landed. */
export const killCrowd = async (installation: Installation, crowd: Crowd): Promise<string[]> => {
  const { refreshed, reconnected } = crowd;
  const before = {
    refreshed: await readAll(installation, refreshed.result.scopedToken),
    reconnected: await readAll(installation, reconnected.result.scopedToken),
  };
  const pages: Page[] = [];
  const strike = makeStrike(installation, async (db: Database) => [
    ...(await Promise.all(pages.map(({ sessionId }) => standing(db, sessionId)))),
    await refreshStanding(db, refreshed.result.connectionId, refreshed.dueSince),
  ]);
  const waiting = (['short', 'asked'] as const).flatMap((who) =>
    places[who].map((place) => {
      return { ...waitAt(installation, crowd[who].username, strike, place), person: crowd[who] };
    }),
  );
  const visit = { at: installation, pollMs: 300 };
  const { connectionId } = reconnected.result;
  const reconnecting = holdAt({ ...visit, username: reconnected.login, connectionId }, 'credentials');
  const hooks = fallingAt({ kind: 'import', afterMs: crowd.afterMs }, strike);
  const importing = holdAt({ ...visit, username: crowd.long.username, ...hooks }, 'chooseAccounts');
  pages.push(...[...waiting, reconnecting, importing].map(({ page }) => page));
  await Promise.all([...waiting, reconnecting, importing].map(({ arrived }) => arrived));
  await makeRefreshDue(installation, refreshed);
  // Whoever looks for the work of these two finds the refresh as well.
  reconnecting.release();
  importing.release();
  await Promise.all(pages.map(({ ended }) => ended));
  const landed = await strike.over;
  for (const { page, person } of waiting) await expectWellEnded(installation, page, person);
  await expectWellEnded(installation, importing.page, crowd.long);
  await expectReconnected(installation, reconnecting.page, reconnected, before.reconnected);
  await expectRefreshed(installation, refreshed, before.refreshed);
  return landed;
};
