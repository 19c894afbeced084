// After an institution reports a rate limit, no process polls it until the limit ends.
import type { CallContext, Connector } from '../../../connectors/kit/contract.ts';
import { BankUnreachable, type RateLimit } from '../../../connectors/kit/errors.ts';
import { wrapCalls } from '../../../connectors/kit/wrapCalls.ts';
import type { Database } from '../../platform/db/open.ts';
import type { BankPauseRow } from '../../platform/db/tables.ts';
import { addMilliseconds, type Clock, days, type Environment, seconds } from '../../platform/values/clock.ts';
import * as store from './pauseStore.ts';

/** Used if the bank returns no time: one hour, doubled each time up to a day. */
const pauseHours = { first: 1, max: 24 };
/** A bank that returns a later time is polled after this many days anyway, in case the time is a mistake. */
const pauseDaysMax = 7;

/** The end of a pause after `inARow` consecutive limits. */
export const pauseEnd = ({ until }: RateLimit, inARow: number, now: Date): Date => {
  const hours = Math.min(pauseHours.first * 2 ** (inARow - 1), pauseHours.max);
  const end = until && until > now ? until : addMilliseconds(now, seconds(hours * 3600));
  const latest = addMilliseconds(now, days(pauseDaysMax));
  return end < latest ? end : latest;
};

/** An institution and its connector. */
export type PausedBank = { environment: Environment; institutionId: string; connectorName: string };

type SharedScope = 'institution' | 'connector';

/** Each organization's Sandbox has its own clock. */
const keyOf = (bank: PausedBank, scope: SharedScope, { organizationId }: CallContext): string =>
  [
    bank.environment === 'sandbox' ? organizationId : bank.environment,
    ...[scope, scope === 'institution' ? bank.institutionId : bank.connectorName],
  ].join(' ');

export type BankPauses = ReturnType<typeof makeBankPauses>;

/** How long a process may be unaware of another process's pause. */
const readEveryMs = 1000;

export const makeBankPauses = ({ db, clock }: { db: Database; clock: Clock }) => {
  type Pauses = Map<string, BankPauseRow>;
  let last: { at: number; pauses: Promise<Pauses> } | undefined;
  const readPauses = (): Promise<Pauses> => {
    const at = clock.real().getTime();
    if (last && Math.abs(at - last.at) < readEveryMs) return last.pauses;
    const pauses = store.findPauses(db.read).then((rows) => new Map(rows.map((row) => [row.key, row])));
    last = { at, pauses };
    pauses.catch(() => {
      last = undefined;
    });
    return pauses;
  };
  const requireNoPause = async (bank: PausedBank, context: CallContext): Promise<void> => {
    const pauses = await readPauses();
    for (const scope of ['institution', 'connector'] as const) {
      const until = pauses.get(keyOf(bank, scope, context))?.until;
      if (until !== undefined && until > context.now.toISOString())
        throw new BankUnreachable('rate_limited', { scope, until: new Date(until) });
    }
  };
  /** Records a shared limit and returns when it ends. */
  const begin = async (key: string, limit: RateLimit, { now }: CallContext): Promise<Date> => {
    const before = (await readPauses()).get(key);
    const follows = before && addMilliseconds(new Date(before.until), days(1)) > now;
    const pauses = follows ? before.pauses + 1 : 1;
    const until = pauseEnd(limit, pauses, now);
    await store.putPause(db.write, { key, until: until.toISOString(), pauses });
    last = undefined;
    return until;
  };
  /** Wraps a connector: its calls fail during a pause, and a shared rate limit from the bank starts a pause. */
  const wrap = (connector: Connector, bank: PausedBank): Connector =>
    wrapCalls(connector, async (name, call, context) => {
      if (name !== 'end') await requireNoPause(bank, context);
      try {
        return await call(context);
      } catch (error) {
        const limit = error instanceof BankUnreachable ? error.rateLimit : undefined;
        if (limit?.scope !== 'institution' && limit?.scope !== 'connector') throw error;
        const until = await begin(keyOf(bank, limit.scope, context), limit, context);
        throw new BankUnreachable('rate_limited', { scope: limit.scope, until, cause: error });
      }
    });
  return { wrap };
};
