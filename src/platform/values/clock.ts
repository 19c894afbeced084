// The only source of time. Sandbox applications follow the clock of their organization, which can be advanced; leases,
// sessions, sign-ins and limits always use real time, and Production never sees an offset.
export { fromDayNumber, toDayNumber, toIsoDate } from '../../../connectors/kit/days.ts';

export type Environment = 'sandbox' | 'production';

/** The clock of an application, its connections and its jobs: that of their environment and organization. */
export type ClockId = { environment: Environment; organizationId: string };

export type Clock = {
  /** Real time: for leases, sessions, sign-ins and limits. */
  real(): Date;
  /** The current time of a clock: never behind real time, and ahead of it only in a Sandbox. */
  now(clock: ClockId): Date;
  /** The organizations whose sandbox clock is ahead of real time; all other clocks show real time. */
  organizationsAhead(): string[];
};

/** The milliseconds by which sandbox clocks are ahead of real time, by organization id; others show real time. */
export type SandboxOffsets = ReadonlyMap<string, number>;

/** The system's clock; each call uses the current offsets. */
export const systemClock = (sandboxOffsets: () => SandboxOffsets): Clock => ({
  real: () => new Date(),
  now: ({ environment, organizationId }) => {
    const offset = environment === 'sandbox' ? sandboxOffsets().get(organizationId) : undefined;
    return new Date(Date.now() + (offset ?? 0));
  },
  organizationsAhead: () => [...sandboxOffsets().keys()],
});

/** Seconds in milliseconds. */
export const seconds = (count: number): number => count * 1000;
/** Days in milliseconds. */
export const days = (count: number): number => count * 86_400_000;

export const toMinutes = (time: Date): number => Math.floor(time.getTime() / 60_000);

/** A new date `milliseconds` later, or earlier if negative. */
export const addMilliseconds = (date: Date, milliseconds: number): Date =>
  new Date(date.getTime() + milliseconds);
