// A step that is under way holds its session, so that a double click or a lost answer never asks a bank twice. It
// holds it by a lease: as long as the bank takes, and no longer than its process lives.
import { addMilliseconds, seconds } from '../clock.ts';
import { Conflict } from '../errors.ts';
import { lockStep, renewStepLock } from './store.ts';
import type { LinkingDeps } from './deps.ts';

type Deps = Pick<LinkingDeps, 'db' | 'clock' | 'limits'>;

/** Takes a step while it holds the session at this version. Throws Conflict where another step does. */
export const withStepLock = async (
  { db, clock, limits }: Deps,
  { id, version }: { id: string; version: number },
  take: () => Promise<void>,
): Promise<void> => {
  const session = { id, version };
  const leaseEnd = (): string => addMilliseconds(clock.real(), seconds(limits.leaseSeconds)).toISOString();
  let held = leaseEnd();
  const claimed = await lockStep(db.write, session, { now: clock.real().toISOString(), until: held });
  if (!claimed) throw new Conflict();
  const renew = async (): Promise<void> => {
    const until = leaseEnd();
    // Whoever cannot renew now tries again; whoever has lost it finds the session moved on in the end.
    if (await renewStepLock(db.write, session, { held, until }).catch(() => false)) held = until;
  };
  const renewal = setInterval(renew, seconds(limits.leaseSeconds) / 3);
  try {
    await take();
  } finally {
    clearInterval(renewal);
  }
};
