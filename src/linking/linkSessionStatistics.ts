// Counts the link sessions of an application: how far they came, and what became of them by institution.
import type { Queries } from '../db/open.ts';
import { rankOf } from './linkSession.ts';
import {
  countByInstitution,
  countByReached,
  type InstitutionCount,
  type LinkSessionFailure,
  type ReachedCount,
} from './listStore.ts';

const countedStates = ['institution', 'credentials', 'accounts', 'importing', 'finished'] as const;
const institutionsMax = 50;

export type InstitutionOutcomes = {
  institutionId: string;
  sessions: number;
  connected: number;
  failed: number;
  left: number;
  failures: { reason: LinkSessionFailure; sessions: number }[];
};

export type LinkSessionStatistics = {
  opened: number;
  reconnects: number;
  /** How many reached each state or a later one. A reconnect counts from `credentials` on. */
  reached: Record<(typeof countedStates)[number], number>;
  connected: number;
  institutions: InstitutionOutcomes[];
};

/** The counts of the sessions opened since `from`, with their outcomes at `now` (ISO 8601, real time). */
export const linkSessionStatistics = async (
  db: Queries,
  range: { applicationId: string; from: string; now: string },
): Promise<LinkSessionStatistics> => {
  const counts = await countByReached(db, range);
  const reconnects = sum(counts.map((one) => one.reconnects));
  const countFrom = (state: (typeof countedStates)[number]): number => {
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
