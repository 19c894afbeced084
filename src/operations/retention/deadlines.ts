// The times by which rows of applications expire: real time, and the clocks of Sandboxes that are ahead of it.
import type { Deadlines } from '../../domain/connections/purgeStore.ts';
import type { Database } from '../../platform/db/open.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import { addMilliseconds, type Clock, days } from '../../platform/values/clock.ts';

/** Real time, which applies to every application, and the time of each organization whose Sandbox is ahead. */
export const applicationTimes = (clock: Clock): { now: Date; organizationId?: string }[] => [
  { now: clock.real() },
  ...clock.organizationsAhead().map((organizationId) => ({
    now: clock.now({ environment: 'sandbox', organizationId }),
    organizationId,
  })),
];

export type SweepDeps = { db: Database; clock: Clock; limits: Limits };

export const computeDeadlines = ({ clock, limits }: SweepDeps): Deadlines[] =>
  applicationTimes(clock).map(({ now, organizationId }) => ({
    real: clock.real().toISOString(),
    revokedBefore: addMilliseconds(now, -days(limits.retentionDays)).toISOString(),
    ...(organizationId !== undefined && { organizationId }),
  }));
