// One kill: when it falls, what it left, and the start after it. A page may be in the middle of anything.
import type { components } from '../../generated/widget.ts';
import type { Database } from '../../src/db/open.ts';
import type { HeadlessWidgetOptions, RequestKind } from './headlessWidget.ts';
import type { Installation } from './installation.ts';

type View = components['schemas']['LinkSessionView'];

/** When the process is killed. */
export type CrashPoint =
  /** When an answer to something has come, or one with some view, and the page has not heard it. */
  | { kind: 'answer lost'; asked?: RequestKind; shows?: View['state'] }
  /** So long after a question was sent. */
  | { kind: 'in flight'; asked: RequestKind; afterMs: number }
  /** So long after the import was ordered. */
  | { kind: 'import'; afterMs: number }
  /** When the connection is there, and the page has not asked since. */
  | { kind: 'published' };

export type CrashInjector<Seen = string> = {
  /** Kills now, if nobody did before; resolves at the death. */
  crash(): Promise<void>;
  /** Resolves with what `look` saw of the dead, when the next process serves. */
  recovered: Promise<Seen>;
  /** Resolves at the death, whoever brought it about. */
  died: Promise<void>;
};

/** Kills at most once; `look` is asked in between, and then it is started again. */
export const makeCrashInjector = <Seen>(
  installation: Installation,
  look: (db: Database) => Promise<Seen>,
  { repeats = 0, repeatAfterMs = 0 }: { repeats?: number; repeatAfterMs?: number } = {},
): CrashInjector<Seen> => {
  const ended = Promise.withResolvers<Seen>();
  const died = Promise.withResolvers<void>();
  ended.promise.catch(() => {});
  let struck = false;
  const revive = async (): Promise<Seen> => {
    const seen = await installation.query(look);
    await installation.start();
    for (let left = repeats; left > 0; left--) {
      await new Promise((done) => setTimeout(done, repeatAfterMs));
      await installation.kill();
      await installation.start();
    }
    return seen;
  };
  return {
    crash: () => {
      if (!struck) {
        struck = true;
        died.resolve(installation.kill());
        died.promise.then(revive).then(ended.resolve, ended.reject);
      }
      return died.promise;
    },
    recovered: ended.promise,
    died: died.promise,
  };
};

/** What a page does so that the strike falls at a moment. */
export const crashAt = (
  moment: CrashPoint,
  strike: Pick<CrashInjector, 'crash'>,
  published?: () => Promise<unknown>,
): Pick<HeadlessWidgetOptions, 'beforeRequest' | 'afterResponse'> => {
  let armed = true;
  const fire = (): Promise<void> => {
    armed = false;
    return strike.crash();
  };
  const later = (milliseconds: number): void => {
    armed = false;
    setTimeout(fire, milliseconds);
  };
  return {
    beforeRequest: async (asked) => {
      if (armed && moment.kind === 'in flight' && moment.asked === asked) later(moment.afterMs);
    },
    afterResponse: async (asked, view) => {
      if (!armed) return 'arrives';
      if (moment.kind === 'import' && view?.state === 'importing') later(moment.afterMs);
      if (moment.kind === 'published' && view?.state === 'importing') {
        await published?.();
        await fire();
        return 'lost';
      }
      if (moment.kind !== 'answer lost' || !matchesResponse(moment, asked, view)) return 'arrives';
      await fire();
      return 'lost';
    },
  };
};

/** Whether this is the answer that is meant. */
export const matchesResponse = (
  wanted: { asked?: RequestKind; shows?: View['state'] },
  asked: RequestKind,
  view: View | undefined,
): boolean =>
  (wanted.asked === undefined || wanted.asked === asked) &&
  (wanted.shows === undefined || wanted.shows === view?.state);
