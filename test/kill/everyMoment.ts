// A first linking that is killed at one moment, and how it must end: with one whole connection, and its token.
import { expect, vi } from 'vitest';
import type { Installation } from './installation.ts';
import { type Asked, openPage, type Page, type Result, type Visit } from './page.ts';
import { expectAllOrNothing, standing } from './sight.ts';
import { fallingAt, type Moment, makeStrike } from './strike.ts';
import { readAll, type Truth } from './truth.ts';

/** Who links, and what the bank holds of them. */
export type Person = { username: string; truth: Truth };

export type Killed = {
  person: Person;
  moment: Moment;
  externalUserId?: string;
  pollMs?: number;
  /** Whoever is started after the kill is killed as well, so many times. */
  again?: number;
  againAfterMs?: number;
};

const wholeOf = (truth: Truth) => ({
  accounts: truth.size,
  entries: [...truth.values()].reduce((sum, entries) => sum + entries.length, 0),
});

/** Links, is killed, and ends well. Says in which state the kill landed. */
export const linkThroughKill = async (installation: Installation, killed: Killed): Promise<string> => {
  const { person, moment, externalUserId, pollMs } = killed;
  let page: Page | undefined;
  const strike = makeStrike(
    installation,
    async (db) => {
      const sessionId = page?.sessionId;
      if (sessionId) await expectAllOrNothing(db, sessionId, wholeOf(person.truth));
      return standing(db, sessionId);
    },
    killed,
  );
  page = openPage({
    ...{ at: installation, username: person.username, externalUserId, pollMs },
    ...fallingAt(moment, strike, () => untilPublished(installation, page!)),
  });
  // A kill that comes late would cut off what is read.
  await page.ended;
  const landed = await strike.over;
  await expectWellEnded(installation, page, { ...person, externalUserId });
  return landed;
};

const untilPublished = (installation: Installation, page: Page) =>
  vi.waitUntil(
    async () => (await installation.ask((db) => standing(db, page.sessionId))) === 'published, not shown',
    { timeout: 30_000, interval: 20 },
  );

/** The page has ended with the one result that there is, however often it was told it. */
export const expectWellEnded = async (
  installation: Installation,
  page: Page,
  { truth, externalUserId }: { truth: Truth; externalUserId?: string },
): Promise<Result> => {
  const ending = await page.ended;
  if (ending.kind !== 'finished') throw new Error(`Session ${page.sessionId} failed: ${ending.reason}.`);
  const { result } = ending;
  expect(result.scopedToken).toBeDefined();
  expect(result.user?.externalUserId).toBe(externalUserId);
  for (const told of page.results) expect(told).toEqual(result);
  await expectReadable(installation, result, truth);
  const all = await installation.ask((db) => expectAllOrNothing(db, page.sessionId!, wholeOf(truth)));
  expect(all).toBe('all');
  return result;
};

/** The token opens one connection, and that is equal to what the bank holds. */
const expectReadable = async (installation: Installation, result: Result, truth: Truth): Promise<void> => {
  const seen = await readAll(installation, result.scopedToken);
  expect(seen.connectionIds).toEqual([result.connectionId]);
  expect(seen.accountIds).toEqual(result.accounts.map(({ id }) => id));
  expect(seen.truth).toEqual(truth);
};

/** Links without a kill, and says how long the import took, in milliseconds. */
export const linkInPeace = async (
  installation: Installation,
  person: Person,
): Promise<{ result: Result; importMs: number }> => {
  const { page, importMs } = openTimed({ at: installation, username: person.username });
  return { result: await expectWellEnded(installation, page, person), importMs: importMs() };
};

/** A page that measures how long its import takes. */
export const openTimed = (visit: Visit): { page: Page; importMs(): number } => {
  let ordered = 0;
  let finished = 0;
  const page = openPage({
    ...visit,
    pollMs: 10,
    answering: async (_asked, view) => {
      if (view?.state === 'importing') ordered ||= performance.now();
      if (view?.state === 'finished') finished ||= performance.now();
      return 'arrives';
    },
  });
  return { page, importMs: () => finished - ordered };
};

const steps = ['consent', 'chooseBank', 'credentials', 'answer', 'chooseAccounts'] as const;

/**
 * Moments over a whole linking: each answer lost, each question caught in flight, and many steps through an import
 * that takes so long, some of them while the page looks seldom.
 */
export const everyMoment = (
  { asked, long, slow }: Record<'asked' | 'long' | 'slow', Person>,
  importMs: number,
  importSteps: number,
): Killed[] => {
  const lost: Killed[] = [
    ...(['start', ...steps, 'acknowledge'] as const).map((question): Killed => {
      return { person: asked, moment: { kind: 'answer lost', asked: question } };
    }),
    { person: long, moment: { kind: 'answer lost', asked: 'chooseAccounts' } },
    { person: long, moment: { kind: 'answer lost', asked: 'look', shows: 'importing' } },
    { person: long, moment: { kind: 'answer lost', shows: 'finished' } },
    { person: asked, moment: { kind: 'answer lost', shows: 'finished' } },
  ];
  const questions: Asked[] = ['start', ...steps, 'acknowledge'];
  const through = Array.from({ length: importSteps }, (_, at) => (importMs * 1.2 * at) / importSteps);
  const all: Killed[] = [
    ...lost,
    ...questions.map((question, at): Killed => {
      return { person: asked, moment: { kind: 'in flight', asked: question, afterMs: at % 4 } };
    }),
    ...through.map((afterMs, at): Killed => {
      return { person: long, moment: { kind: 'import', afterMs }, pollMs: at % 2 === 0 ? 400 : undefined };
    }),
    { person: long, moment: { kind: 'published' } },
    { person: long, moment: { kind: 'published' } },
    // This bank takes five seconds for each step.
    { person: slow, moment: { kind: 'in flight', asked: 'credentials', afterMs: 1500 } },
    { person: long, moment: { kind: 'import', afterMs: importMs / 2 }, again: 4, againAfterMs: 1100 },
  ];
  return all.map((killed, at) => (at % 3 === 0 ? { ...killed, externalUserId: `user-${at}` } : killed));
};
