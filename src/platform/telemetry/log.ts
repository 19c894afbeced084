// The log: one JSON object per line, with ids, codes and durations only. Error messages are left out, because a driver's or a
// bank's message may repeat its input. Lines on a terminal are human-readable.
import { styleText } from 'node:util';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../settings/table.ts';

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>;

/** A destination for lines, or one of this process's streams, which never blocks the process. */
type Destination = DestinationStream | 'stdout' | 'stderr';

/** A logger at this level. */
export const makeLog = (level: LogLevel, destination: Destination = 'stdout'): Log =>
  pino(
    {
      level,
      base: undefined,
      timestamp: printTime,
      serializers: { err: describeError },
    },
    typeof destination === 'string' ? destinationOf(destination) : destination,
  );

const destinationOf = (stream: 'stdout' | 'stderr'): DestinationStream => {
  const destination = openStream(stream);
  return process[stream].isTTY
    ? { write: (line) => destination.write(toReadableLine(line, stream)) }
    : destination;
};

/** `12:30:01.123 INFO  request  method=GET status=200`, followed by the stack of an error. */
const toReadableLine = (line: string, stream: 'stdout' | 'stderr'): string => {
  const { level, time, msg = '', err, ...fields } = JSON.parse(line);
  const { stack = [], ...errorFields } = err ?? {};
  const texts = Object.entries({ ...fields, ...errorFields })
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`);
  const color = level >= 50 ? 'red' : level >= warnLevel ? 'yellow' : 'green';
  const label = styleText(color, pino.levels.labels[level]!.toUpperCase().padEnd(5), {
    stream: process[stream],
  });
  const first = [`${time.slice(11, 23)} ${label} ${escapeControls(msg)}`, ...texts.map(escapeControls)].join(
    '  ',
  );
  return [first, ...stack.map(escapeControls)].map((text) => `${text}\n`).join('');
};

/** On a terminal, a control character in a value could erase or forge lines. `JSON.stringify` keeps U+007F to U+009F. */
const escapeControls = (text: string): string =>
  text.replace(/\p{Cc}/gu, (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`);

const warnLevel = 40;

/** The number of lines of this process that could not be written. */
let allDropped = 0;
export const droppedLogLines = (): number => allDropped;

type FileDestination = ReturnType<typeof pino.destination>;
const opened = new Map<string, FileDestination>();

/**
 * The only writer to a stream of this process. Lines are at most 100 ms late; up to 1 MiB is buffered while none can be written.
 */
const openStream = (stream: 'stdout' | 'stderr'): FileDestination => {
  const known = opened.get(stream);
  if (known) return known;
  const destination = pino.destination({
    // Node.js made pipes and sockets non-blocking when it opened the stream, so a synchronous write never waits. Retries of
    // asynchronous writes keep the process alive: "a socket whose reader has stopped" (test/faults/log.test.ts) would not end.
    ...{ dest: process[stream].fd, sync: true, retryEAGAIN: () => false },
    ...{ minLength: 8192, maxLength: 1_048_576, periodicFlush: 100 },
  });
  // Unwritten bytes stay and are retried. Pino's own listener would stop counting dropped lines once the reader has gone.
  destination.removeAllListeners('error').on('error', () => {});
  reportDropped(destination);
  process.on('exit', () => flushAtExit(destination));
  opened.set(stream, destination);
  return destination;
};

/** Writes a line that counts the dropped ones, once there is room. */
const reportDropped = (destination: FileDestination): void => {
  let dropped = 0;
  destination.on('drop', () => {
    dropped++;
    allDropped++;
  });
  destination.on('drain', () => {
    if (dropped === 0) return;
    const count = dropped;
    dropped = 0;
    destination.write(
      `{"level":${warnLevel}${printTime()},"dropped":${count},"msg":"log lines dropped: they could not be written"}\n`,
    );
  });
};

const exitMs = 1000;
const exitStepMs = 10;

/**
 * Writes the last lines; a slow reader has a second. Pino's `flushSync` is not used, because it retries forever in the cases "a
 * full disk" and "a pipe whose reader has gone" of test/faults/log.test.ts.
 */
const flushAtExit = (destination: FileDestination): void => {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  let hasFailed = false;
  let written = 0;
  destination.on('error', () => {
    hasFailed = true;
  });
  destination.on('write', (bytes: number) => {
    written = bytes;
  });
  for (const endsAt = Date.now() + exitMs; Date.now() < endsAt; ) {
    hasFailed = false;
    written = 0;
    destination.flush();
    if (hasFailed) Atomics.wait(pause, 0, 0, exitStepMs);
    else if (written === 0) return;
    else destination.emit('drain');
  }
};

// Formatting a date takes half as long as the rest of a line, and many lines have the same second.
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

// A stack starts with the message, which may contain lines that look like frames.
const stackFrames = ({ stack = '', message }: Error): string[] => {
  const messageAt = stack.indexOf(message);
  const frames = messageAt < 0 ? stack : stack.slice(messageAt + message.length);
  return frames.split('\n').filter((line) => /^ {4}at .*:\d+:\d+\)?$/.test(line));
};
