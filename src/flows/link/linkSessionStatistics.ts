// Counts the link sessions of an application: by furthest step, and by outcome at each institution.
import type { components } from '../../../generated/management.ts';
import type { Queries } from '../../platform/db/open.ts';
import { rankOf } from './linkSession.ts';
import { countByInstitution, countByReached, type InstitutionCount, type ReachedCount } from './listStore.ts';

const institutionsMax = 50;

type Statistics = components['schemas']['LinkSessionStatistics'];
type InstitutionOutcomes = Omit<Statistics['institutions'][number], 'institution'> & {
  institutionId: string;
};

/** The dashboard's statistics, with institution ids. */
type LinkSessionStatistics = Omit<Statistics, 'institutions'> & { institutions: InstitutionOutcomes[] };

/** The counts of the sessions opened since `from`, with their outcomes at `now` (ISO 8601, real time). */
export const linkSessionStatistics = async (
  db: Queries,
  range: { applicationId: string; from: string; now: string },
): Promise<LinkSessionStatistics> => {
  const counts = await countByReached(db, range);
  const reconnects = sum(counts.map((one) => one.reconnects));
  const countFrom = (state: keyof Statistics['reached']): number => {
    const later = counts.filter(({ reached }) => rankOf(reached) >= rankOf(state));
    const counted = (one: ReachedCount) => one.sessions - (state === 'institution' ? one.reconnects : 0);
    return sum(later.map(counted));
  };
  return {
    opened: sum(counts.map(({ sessions }) => sessions)),
    reconnects,
    reached: {
      institution: countFrom('institution'),
      credentials: countFrom('credentials'),
      accounts: countFrom('accounts'),
      importing: countFrom('importing'),
      finished: countFrom('finished'),
    },
    connected: sum(counts.map(({ connected }) => connected)),
    institutions: toInstitutionOutcomes(await countByInstitution(db, range)),
  };
};

const sum = (numbers: readonly number[]): number => numbers.reduce((total, one) => total + one, 0);

const toInstitutionOutcomes = (counts: readonly InstitutionCount[]): InstitutionOutcomes[] => {
  const byInstitution = new Map<string, InstitutionOutcomes>();
  for (const { institutionId, outcome, reason, sessions } of counts) {
    const outcomes = byInstitution.get(institutionId) ?? {
      ...{ institutionId, sessions: 0, connected: 0, failed: 0, left: 0, failures: [] },
    };
    byInstitution.set(institutionId, outcomes);
    outcomes.sessions += sessions;
    if (outcome !== 'open') outcomes[outcome] += sessions;
    if (reason) outcomes.failures.push({ reason, sessions });
  }
  const all = [...byInstitution.values()].sort(mostSessionsFirst).slice(0, institutionsMax);
  for (const { failures } of all) failures.sort(mostSessionsFirst);
  return all;
};

const mostSessionsFirst = (left: { sessions: number }, right: { sessions: number }): number =>
  right.sessions - left.sessions;
