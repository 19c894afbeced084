// The one source of time. Sandbox applications live on a clock that the operator can move; leases, sessions,
// sign-ins and limits always keep real time, and Production data never sees the offset.

export type Environment = 'sandbox' | 'production';

export type Clock = {
  /** Real time: for leases, sessions, sign-ins and limits. */
  real(): Date;
  /** The time that an application's data lives in. */
  now(environment: Environment): Date;
};

/** A clock over the system's, with the sandbox offset (milliseconds) asked anew at each reading. */
export const systemClock = (sandboxOffset: () => number): Clock => ({
  real: () => new Date(),
  now: (environment) => new Date(Date.now() + (environment === 'sandbox' ? sandboxOffset() : 0)),
});

export const seconds = (count: number): number => count * 1000;
export const days = (count: number): number => count * 86_400_000;

/** The moment that lies `milliseconds` after (or, negative, before) another. */
export const addMilliseconds = (moment: Date, milliseconds: number): Date =>
  new Date(moment.getTime() + milliseconds);

/** YYYY-MM-DD of a moment, in UTC. */
export const toIsoDate = (moment: Date): string => moment.toISOString().slice(0, 10);
