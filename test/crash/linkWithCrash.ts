// A first link during which the service is killed. It must end with one complete connection and its scoped token.
import { expect, vi } from 'vitest';
import type { ConnectResult } from '../../widget/types.ts';
import {
  type LinkingPage,
  type LinkingPageOptions,
  openLinkingPage,
  type RequestKind,
} from '../page/linkingPage.ts';
import { describeSession, expectCompleteOrMissing } from './crashAssertions.ts';
import { type CrashPoint, crashAt, makeCrashInjector } from './crashInjector.ts';
import { type ExpectedState, readState } from './expectedState.ts';
import type { Installation } from './installation.ts';

/** A user who links, and the transactions of the bank. */
export type LinkUser = { username: string; expected: ExpectedState };

export type CrashCase = {
  user: LinkUser;
  crashPoint: CrashPoint;
  externalUserId?: string;
  speed?: number;
  /** The number of times that the restarted service is also killed. */
  repeats?: number;
  repeatAfterMs?: number;
};

const expectedCounts = (expected: ExpectedState) => ({
  accounts: expected.size,
  transactions: [...expected.values()].reduce((sum, transactions) => sum + transactions.length, 0),
});

/** Links with one kill, and expects the link to succeed. Returns the state at the kill. */
export const linkWithCrash = async (installation: Installation, crashCase: CrashCase): Promise<string> => {
  const { user, crashPoint, externalUserId, speed } = crashCase;
  let page: LinkingPage | undefined;
  const injector = makeCrashInjector(
    installation,
    async (db) => {
      const linkSessionId = page?.linkSessionId;
      if (linkSessionId) await expectCompleteOrMissing(db, linkSessionId, expectedCounts(user.expected));
      return describeSession(db, linkSessionId);
    },
    crashCase,
  );
  page = openLinkingPage({
    installation,
    username: user.username,
    externalUserId,
    speed,
    ...crashAt(crashPoint, injector, () => untilPublished(installation, page!)),
  });
  // A late kill must not interrupt the reads that follow.
  await page.ended;
  const crashStates = await injector.recovered;
  await expectLinked(installation, page, { ...user, externalUserId });
  return crashStates;
};

const untilPublished = (installation: Installation, page: LinkingPage) =>
  vi.waitUntil(
    async () =>
      (await installation.query((db) => describeSession(db, page.linkSessionId))) ===
      'published, not delivered',
    { timeout: 30_000, interval: 20 },
  );

/** Expects that the page ended with one result, even if it was sent several times. */
export const expectLinked = async (
  installation: Installation,
  page: LinkingPage,
  { expected, externalUserId }: { expected: ExpectedState; externalUserId?: string },
): Promise<ConnectResult> => {
  const outcome = await page.ended;
  if (outcome.kind !== 'finished')
    throw new Error(`Session ${page.linkSessionId} failed: ${outcome.reason}.`);
  const { result } = outcome;
  expect(result.scopedToken).toBeDefined();
  expect(result.user?.externalUserId).toBe(externalUserId);
  for (const sent of page.results) expect(sent).toEqual(result);
  await expectReadable(installation, result, expected);
  const state = await installation.query((db) =>
    expectCompleteOrMissing(db, page.linkSessionId!, expectedCounts(expected)),
  );
  expect(state).toBe('complete');
  return result;
};

/** Expects that the scoped token reads one connection with the transactions of the bank. */
const expectReadable = async (
  installation: Installation,
  result: ConnectResult,
  expected: ExpectedState,
): Promise<void> => {
  const actual = await readState(installation, result.scopedToken);
  expect(actual.connectionIds).toEqual([result.connectionId]);
  expect(actual.accountIds).toEqual(result.accounts.map(({ id }) => id));
  expect(actual.state).toEqual(expected);
};

/** Links without a kill, and measures the import in milliseconds. */
export const linkWithoutCrash = async (
  installation: Installation,
  user: LinkUser,
): Promise<{ result: ConnectResult; importMs: number }> => {
  const { page, importMs } = openTimedPage({ installation, username: user.username });
  return { result: await expectLinked(installation, page, user), importMs: importMs() };
};

/** A page that measures the duration of its import. */
export const openTimedPage = (pageOptions: LinkingPageOptions): { page: LinkingPage; importMs(): number } => {
  let startedAt = 0;
  let finishedAt = 0;
  const page = openLinkingPage({
    ...pageOptions,
    speed: 100,
    afterResponse: async (_request, view) => {
      if (view?.state === 'importing') startedAt ||= performance.now();
      if (view?.state === 'finished') finishedAt ||= performance.now();
      return 'delivered';
    },
  });
  return { page, importMs: () => finishedAt - startedAt };
};

const steps = ['consent', 'selectInstitution', 'credentials', 'answer', 'selectAccounts'] as const;

/**
 * Crash cases of a whole link: each response lost, each request in flight, and many points of an import of this
 * duration, some of them while the page polls rarely.
 */
export const allCrashCases = (
  { challenged, long, slow }: Record<'challenged' | 'long' | 'slow', LinkUser>,
  importMs: number,
  importSteps: number,
): CrashCase[] => {
  const lost: CrashCase[] = [
    ...(['create', ...steps, 'acknowledge'] as const).map((request): CrashCase => {
      return { user: challenged, crashPoint: { kind: 'response lost', request } };
    }),
    { user: long, crashPoint: { kind: 'response lost', request: 'selectAccounts' } },
    { user: long, crashPoint: { kind: 'response lost', request: 'fetch', state: 'importing' } },
    { user: long, crashPoint: { kind: 'response lost', state: 'finished' } },
    { user: challenged, crashPoint: { kind: 'response lost', state: 'finished' } },
  ];
  const requests: RequestKind[] = ['create', ...steps, 'acknowledge'];
  const delays = Array.from({ length: importSteps }, (_, index) => (importMs * 1.2 * index) / importSteps);
  const all: CrashCase[] = [
    ...lost,
    ...requests.map((request, index): CrashCase => {
      return { user: challenged, crashPoint: { kind: 'in flight', request, afterMs: index % 4 } };
    }),
    ...delays.map((afterMs, index): CrashCase => {
      return {
        user: long,
        crashPoint: { kind: 'import', afterMs },
        speed: index % 2 === 0 ? 1 : undefined,
      };
    }),
    { user: long, crashPoint: { kind: 'published' } },
    { user: long, crashPoint: { kind: 'published' } },
    // The connector takes five seconds for each step of this user.
    { user: slow, crashPoint: { kind: 'in flight', request: 'credentials', afterMs: 1500 } },
    { user: long, crashPoint: { kind: 'import', afterMs: importMs / 2 }, repeats: 4, repeatAfterMs: 1100 },
  ];
  return all.map((crashCase, index) =>
    index % 3 === 0 ? { ...crashCase, externalUserId: `user-${index}` } : crashCase,
  );
};
