// The log: one JSON object a line. Nothing reaches it but ids, codes and durations; the words of an error are
// kept only where we wrote them ourselves, because a driver's or a bank's may repeat what they were given.
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>;

/** A logger at this level, to standard output where no other destination is given. */
export const makeLog = (level: LogLevel, destination?: DestinationStream): Log =>
  pino(
    {
      level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: describeError },
    },
    destination,
  );

/** What may be kept of an error: its kind, its code, where it was thrown, and nothing of what it says. */
const describeError = (error: unknown): object => {
  if (!(error instanceof Error)) return { kind: typeof error };
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  const word = (value: unknown) =>
    typeof value === 'string' && /^\w{1,40}$/.test(value) ? value : undefined;
  return {
    kind: error.constructor.name,
    code: word(code),
    reason: word(reason),
    stack: stackFrames(error),
    ...cause,
  };
};

// A stack begins with what the error says, which may look like frames itself.
const stackFrames = ({ stack = '', message }: Error): string[] => {
  const said = stack.indexOf(message);
  const frames = said < 0 ? stack : stack.slice(said + message.length);
  return frames.split('\n').filter((line) => /^ {4}at .*:\d+:\d+\)?$/.test(line));
};
