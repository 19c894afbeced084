// One kill during many concurrent link sessions, each in a different state. This covers in seconds what one kill for each
// state covers in minutes.
import type { components } from '../../generated/widget.ts';
import type { Database } from '../../src/platform/db/open.ts';
import {
  type LinkingPage,
  type LinkingPageOptions,
  openLinkingPage,
  type RequestKind,
} from '../page/linkingPage.ts';
import { describeRefresh, describeSession } from './crashAssertions.ts';
import { type CrashInjector, crashAt, makeCrashInjector, matchesResponse } from './crashInjector.ts';
import { readState } from './expectedState.ts';
import type { Installation } from './installation.ts';
import { expectLinked, type LinkUser } from './linkWithCrash.ts';
import {
  expectReconnected,
  expectRefreshed,
  makeRefreshDue,
  type TrackedConnection,
} from './refreshWithCrash.ts';

type View = components['schemas']['LinkSessionView'];
type ResponseMatch = { request?: RequestKind; state?: View['state'] };
type PausedPage = { page: LinkingPage; paused: Promise<void> };

/** A page that proceeds to one response, which it loses because the service is killed. */
const pauseAtResponse = (
  installation: Installation,
  username: string,
  injector: Pick<CrashInjector, 'killed'>,
  match: ResponseMatch,
): PausedPage => {
  const { promise: paused, resolve } = Promise.withResolvers<void>();
  let isPending = true;
  const page = openLinkingPage({
    installation,
    username,
    afterResponse: async (request, view) => {
      if (!isPending || !matchesResponse(match, request, view)) return 'delivered';
      isPending = false;
      resolve();
      await injector.killed;
      return 'lost';
    },
  });
  return { page, paused };
};

/** The points at which the users' pages pause: one without a challenge, one with a challenge. */
const pausePoints: Record<'short' | 'challenged', ResponseMatch[]> = {
  short: [{ request: 'create' }, { request: 'consent' }, { state: 'finished' }, { request: 'acknowledge' }],
  challenged: [{ request: 'credentials' }, { request: 'answer' }],
};

/** A page that pauses before one kind of request until it is released. */
const pauseAtRequest = (
  pageOptions: LinkingPageOptions,
  pausedRequest: RequestKind,
): PausedPage & { release(): void } => {
  const paused = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const beforeRequest = async (request: RequestKind): Promise<void> => {
    if (request !== pausedRequest) return;
    paused.resolve();
    await released.promise;
  };
  return {
    page: openLinkingPage({ ...pageOptions, beforeRequest }),
    paused: paused.promise,
    release: released.resolve,
  };
};

export type ConcurrentCrash = {
  short: LinkUser;
  challenged: LinkUser;
  long: LinkUser;
  refreshed: TrackedConnection;
  reconnected: TrackedConnection;
  /** The delay of the kill after the start of the import, the reconnect and the refresh. */
  afterMs: number;
};

/** Kills the service, and expects everything to complete. Returns the state of each link session at the kill. */
export const crashConcurrently = async (
  installation: Installation,
  options: ConcurrentCrash,
): Promise<string[]> => {
  const { refreshed, reconnected } = options;
  const before = {
    refreshed: await readState(installation, refreshed.result.scopedToken),
    reconnected: await readState(installation, reconnected.result.scopedToken),
  };
  const pages: LinkingPage[] = [];
  const injector = makeCrashInjector(installation, async (db: Database) => [
    ...(await Promise.all(pages.map(({ linkSessionId }) => describeSession(db, linkSessionId)))),
    await describeRefresh(db, refreshed.result.connectionId, refreshed.dueSince),
  ]);
  const waiting = (['short', 'challenged'] as const).flatMap((name) =>
    pausePoints[name].map((match) => {
      return {
        ...pauseAtResponse(installation, options[name].username, injector, match),
        user: options[name],
      };
    }),
  );
  const pageOptions = { installation, speed: 1 };
  const { connectionId } = reconnected.result;
  const reconnecting = pauseAtRequest(
    { ...pageOptions, username: reconnected.login, connectionId },
    'credentials',
  );
  const hooks = crashAt({ kind: 'import', afterMs: options.afterMs }, injector);
  const importing = pauseAtRequest(
    { ...pageOptions, username: options.long.username, ...hooks },
    'selectAccounts',
  );
  pages.push(...[...waiting, reconnecting, importing].map(({ page }) => page));
  await Promise.all([...waiting, reconnecting, importing].map(({ paused }) => paused));
  await makeRefreshDue(installation, refreshed);
  // A worker that finds these two jobs also finds the refresh.
  reconnecting.release();
  importing.release();
  await Promise.all(pages.map(({ ended }) => ended));
  const crashStates = await injector.recovered;
  for (const { page, user } of waiting) await expectLinked(installation, page, user);
  await expectLinked(installation, importing.page, options.long);
  await expectReconnected(installation, reconnecting.page, reconnected, before.reconnected);
  await expectRefreshed(installation, refreshed, before.refreshed);
  return crashStates;
};
