// The log: one JSON object per line, with ids, codes and durations only. Error messages are left out, because a
// driver's or a bank's message may repeat its input. On a terminal, lines are for people.
import { styleText } from 'node:util';
import { type DestinationStream, type Logger, pino } from 'pino';
import type { LogLevel } from '../config.ts';
import { type LogWriter, makeLogWriter, sinkOf } from './logWriter.ts';

export type Log = Pick<Logger, 'info' | 'warn' | 'error' | 'debug'>;

/** A destination of lines, or one of this process's streams, which never makes the process wait. */
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
  const writer = writerOf(stream);
  return process[stream].isTTY ? { write: (line) => writer.write(toReadableLine(line, stream)) } : writer;
};

/** `12:30:01.123 INFO  request  method=GET status=200`, and the stack of an error below. */
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

const writers = new Map<string, LogWriter>();

/** The only writer to a stream of this process. Its last lines are written when the process exits. */
const writerOf = (stream: 'stdout' | 'stderr'): LogWriter => {
  const writer = writers.get(stream) ?? makeLogWriter({ sink: sinkOf(process[stream]), droppedLine });
  if (!writers.has(stream)) process.on('exit', () => flushAtExit(writer));
  writers.set(stream, writer);
  return writer;
};

/** How many lines of this process could not be written. */
export const droppedLogLines = (): number =>
  [...writers.values()].reduce((sum, writer) => sum + writer.droppedLines(), 0);

const warnLevel = 40;

const droppedLine = (dropped: number): string =>
  `{"level":${warnLevel}${printTime()},"dropped":${dropped},"msg":"log lines dropped: they could not be written"}\n`;

const exitMs = 1000;
const exitStepMs = 10;

/** A reader that is slow has a second. */
const flushAtExit = (writer: LogWriter): void => {
  const pause = new Int32Array(new SharedArrayBuffer(4));
  for (let waited = 0; waited < exitMs; waited += exitStepMs) {
    writer.flush();
    if (writer.isEmpty()) return;
    Atomics.wait(pause, 0, 0, exitStepMs);
  }
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
