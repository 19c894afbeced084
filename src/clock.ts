// The only source of time. Sandbox applications follow a clock that the operator can advance; leases, sessions, sign-ins
// and limits always use real time, and Production never sees the offset.

export type Environment = 'sandbox' | 'production';

export type Clock = {
  /** Real time: for leases, sessions, sign-ins and limits. */
  real(): Date;
  /** The current time of an environment: the sandbox's includes its offset. */
  now(environment: Environment): Date;
};

/** The system's clock; each call adds the current sandbox offset (milliseconds). */
export const systemClock = (sandboxOffset: () => number): Clock => ({
  real: () => new Date(),
  now: (environment) => new Date(Date.now() + (environment === 'sandbox' ? sandboxOffset() : 0)),
});

/** Seconds in milliseconds. */
export const seconds = (count: number): number => count * 1000;
/** Days in milliseconds. */
export const days = (count: number): number => count * 86_400_000;

/** A new date `milliseconds` later, or earlier if negative. */
export const addMilliseconds = (date: Date, milliseconds: number): Date =>
  new Date(date.getTime() + milliseconds);

/** The date as YYYY-MM-DD, in UTC. */
export const toIsoDate = (date: Date): string => date.toISOString().slice(0, 10);
