// A first linking that is killed at one moment, and how it must end: with one whole connection, and its token.
import { expect, vi } from 'vitest';
import { describeSession, expectAllOrNothing } from './crashAssertions.ts';
import { type CrashPoint, crashAt, makeCrashInjector } from './crashInjector.ts';
import { type ExpectedState, readState } from './expectedState.ts';
import {
  type HeadlessWidget,
  type HeadlessWidgetOptions,
  openHeadlessWidget,
  type RequestKind,
  type Result,
} from './headlessWidget.ts';
import type { Installation } from './installation.ts';

/** Who links, and what the bank holds of them. */
export type LinkUser = { username: string; expected: ExpectedState };

export type CrashCase = {
  user: LinkUser;
  crashPoint: CrashPoint;
  externalUserId?: string;
  pollMs?: number;
  /** Whoever is started after the kill is killed as well, so many times. */
  repeats?: number;
  repeatAfterMs?: number;
};

const expectedCounts = (truth: ExpectedState) => ({
  accounts: truth.size,
  entries: [...truth.values()].reduce((sum, entries) => sum + entries.length, 0),
});

/** Links, is killed, and ends well. Says in which state the kill landed. */
export const linkWithCrash = async (installation: Installation, killed: CrashCase): Promise<string> => {
  const { user, crashPoint, externalUserId, pollMs } = killed;
  let page: HeadlessWidget | undefined;
  const strike = makeCrashInjector(
    installation,
    async (db) => {
      const linkSessionId = page?.linkSessionId;
      if (linkSessionId) await expectAllOrNothing(db, linkSessionId, expectedCounts(user.expected));
      return describeSession(db, linkSessionId);
    },
    killed,
  );
  page = openHeadlessWidget({
    ...{ at: installation, username: user.username, externalUserId, pollMs },
    ...crashAt(crashPoint, strike, () => untilPublished(installation, page!)),
  });
  // A kill that comes late would cut off what is read.
  await page.ended;
  const landed = await strike.recovered;
  await expectLinked(installation, page, { ...user, externalUserId });
  return landed;
};

const untilPublished = (installation: Installation, page: HeadlessWidget) =>
  vi.waitUntil(
    async () =>
      (await installation.query((db) => describeSession(db, page.linkSessionId))) === 'published, not shown',
    { timeout: 30_000, interval: 20 },
  );

/** The page has ended with the one result that there is, however often it was told it. */
export const expectLinked = async (
  installation: Installation,
  page: HeadlessWidget,
  { expected, externalUserId }: { expected: ExpectedState; externalUserId?: string },
): Promise<Result> => {
  const ending = await page.ended;
  if (ending.kind !== 'finished') throw new Error(`Session ${page.linkSessionId} failed: ${ending.reason}.`);
  const { result } = ending;
  expect(result.scopedToken).toBeDefined();
  expect(result.user?.externalUserId).toBe(externalUserId);
  for (const told of page.results) expect(told).toEqual(result);
  await expectReadable(installation, result, expected);
  const all = await installation.query((db) =>
    expectAllOrNothing(db, page.linkSessionId!, expectedCounts(expected)),
  );
  expect(all).toBe('all');
  return result;
};

/** The token opens one connection, and that is equal to what the bank holds. */
const expectReadable = async (
  installation: Installation,
  result: Result,
  truth: ExpectedState,
): Promise<void> => {
  const seen = await readState(installation, result.scopedToken);
  expect(seen.connectionIds).toEqual([result.connectionId]);
  expect(seen.accountIds).toEqual(result.accounts.map(({ id }) => id));
  expect(seen.state).toEqual(truth);
};

/** Links without a kill, and says how long the import took, in milliseconds. */
export const linkWithoutCrash = async (
  installation: Installation,
  person: LinkUser,
): Promise<{ result: Result; importMs: number }> => {
  const { page, importMs } = openTimedWidget({ at: installation, username: person.username });
  return { result: await expectLinked(installation, page, person), importMs: importMs() };
};

/** A page that measures how long its import takes. */
export const openTimedWidget = (
  visit: HeadlessWidgetOptions,
): { page: HeadlessWidget; importMs(): number } => {
  let ordered = 0;
  let finished = 0;
  const page = openHeadlessWidget({
    ...visit,
    pollMs: 10,
    afterResponse: async (_asked, view) => {
      if (view?.state === 'importing') ordered ||= performance.now();
      if (view?.state === 'finished') finished ||= performance.now();
      return 'arrives';
    },
  });
  return { page, importMs: () => finished - ordered };
};

const steps = ['consent', 'selectInstitution', 'credentials', 'answer', 'selectAccounts'] as const;

/**
 * Moments over a whole linking: each answer lost, each question caught in flight, and many steps through an import
 * that takes so long, some of them while the page looks seldom.
 */
export const allCrashCases = (
  { asked, long, slow }: Record<'asked' | 'long' | 'slow', LinkUser>,
  importMs: number,
  importSteps: number,
): CrashCase[] => {
  const lost: CrashCase[] = [
    ...(['start', ...steps, 'acknowledge'] as const).map((question): CrashCase => {
      return { user: asked, crashPoint: { kind: 'answer lost', asked: question } };
    }),
    { user: long, crashPoint: { kind: 'answer lost', asked: 'selectAccounts' } },
    { user: long, crashPoint: { kind: 'answer lost', asked: 'look', shows: 'importing' } },
    { user: long, crashPoint: { kind: 'answer lost', shows: 'finished' } },
    { user: asked, crashPoint: { kind: 'answer lost', shows: 'finished' } },
  ];
  const questions: RequestKind[] = ['start', ...steps, 'acknowledge'];
  const through = Array.from({ length: importSteps }, (_, at) => (importMs * 1.2 * at) / importSteps);
  const all: CrashCase[] = [
    ...lost,
    ...questions.map((question, at): CrashCase => {
      return { user: asked, crashPoint: { kind: 'in flight', asked: question, afterMs: at % 4 } };
    }),
    ...through.map((afterMs, at): CrashCase => {
      return { user: long, crashPoint: { kind: 'import', afterMs }, pollMs: at % 2 === 0 ? 400 : undefined };
    }),
    { user: long, crashPoint: { kind: 'published' } },
    { user: long, crashPoint: { kind: 'published' } },
    // This bank takes five seconds for each step.
    { user: slow, crashPoint: { kind: 'in flight', asked: 'credentials', afterMs: 1500 } },
    { user: long, crashPoint: { kind: 'import', afterMs: importMs / 2 }, repeats: 4, repeatAfterMs: 1100 },
  ];
  return all.map((killed, at) => (at % 3 === 0 ? { ...killed, externalUserId: `user-${at}` } : killed));
};
