// The log: one JSON object per line, with ids, codes and durations only. Error messages are left out, because a
// driver's or a bank's message may repeat its input.
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from './config.ts';

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>;

/**
 * A logger at this level. Without a destination it writes to standard output, many lines at once, at most `writeDelayMs`
 * late; the rest when the process exits.
 */
export const makeLog = (level: LogLevel, destination: DestinationStream = standardOutput()): Log =>
  pino(
    {
      level,
      base: undefined,
      timestamp: printTime,
      serializers: { err: describeError },
    },
    destination,
  );

const writeBytes = 8192;
const writeDelayMs = 100;

let output: DestinationStream | undefined;
const standardOutput = (): DestinationStream => {
  output ??= openStandardOutput();
  return output;
};

const openStandardOutput = (): DestinationStream => {
  // Synchronous, because a write that is running on another thread is lost when the process exits.
  const destination = pino.destination({ minLength: writeBytes, periodicFlush: writeDelayMs, sync: true });
  process.on('exit', () => destination.flushSync());
  return destination;
};

// Formatting a date takes half as long as the rest of a line, and many lines are of the same second.
let lastSecond = Number.NaN;
let secondText = '';
const printTime = (): string => {
  const now = Date.now();
  const milliseconds = now % 1000;
  if (now - milliseconds !== lastSecond) {
    lastSecond = now - milliseconds;
    secondText = new Date(lastSecond).toISOString().slice(0, -'000Z'.length);
  }
  return `,"time":"${secondText}${String(milliseconds).padStart(3, '0')}Z"`;
};

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
