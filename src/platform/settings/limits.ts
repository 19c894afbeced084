// The effective limits: settings that are numbers, and tunables.
import { addMilliseconds, seconds } from '../values/clock.ts';
import { count } from './readers.ts';
import { limitSettings, type limitTable } from './table.ts';
import { type Tunables, tunables } from './tunables.ts';

export type Limits = Readonly<Record<keyof typeof limitTable, number>> & Tunables;

/** Throws OperatorError for a limit that is not a whole number within its bounds. */
export const readLimits = (env: Record<string, string | undefined>): Limits => {
  const read = limitSettings.map(({ key, variable, standard, ...bounds }) => [
    key,
    count(env[variable] || String(standard), variable, bounds),
  ]);
  return Object.freeze({ ...tunables, ...Object.fromEntries(read) });
};

/** The defaults. */
export const limits: Limits = readLimits({});

/**
 * The age in milliseconds at which unpublished data of a refresh is deleted. A refresh is aborted after its timeout; twice that
 * time also covers one that is being published.
 */
export const unpublishedMilliseconds = ({ refreshTimeoutSeconds, leaseSeconds }: Limits): number =>
  1000 * (2 * refreshTimeoutSeconds + leaseSeconds);

/** Processes last seen before this time (ISO 8601) have ended. */
export const processExpiry = (now: Date, { processExpirySeconds }: Limits): string =>
  addMilliseconds(now, -seconds(processExpirySeconds)).toISOString();
