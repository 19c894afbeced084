// The log: one JSON object per line, with ids, codes and durations only. Error messages are left out, because a
// driver's or a bank's message may repeat its input.
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>;

/** A logger at this level. It writes to standard output unless a destination is given. */
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

/** The loggable parts of an error: class, code, reason and stack frames, without its message. */
const describeError = (error: unknown): object => {
  if (!(error instanceof Error)) return { kind: typeof error };
  const { code, reason } = error as { code?: unknown; reason?: unknown };
  const cause = error.cause === undefined ? {} : { cause: describeError(error.cause) };
  const toCode = (value: unknown) =>
    typeof value === 'string' && /^\w{1,40}$/.test(value) ? value : undefined;
  return {
    kind: error.constructor.name,
    code: toCode(code),
    reason: toCode(reason),
    stack: stackFrames(error),
    ...cause,
  };
};

// A stack begins with the message, which may contain lines that look like frames.
const stackFrames = ({ stack = '', message }: Error): string[] => {
  const messageAt = stack.indexOf(message);
  const frames = messageAt < 0 ? stack : stack.slice(messageAt + message.length);
  return frames.split('\n').filter((line) => /^ {4}at .*:\d+:\d+\)?$/.test(line));
};
