// Writes log lines without ever waiting for who reads them: what cannot be written stays in memory up to a limit, and lines
// beyond it are dropped and counted.
import { writeSync } from 'node:fs';

/** Takes bytes without waiting, and returns how many of them: 0 if none can be written now. */
export type Sink = (bytes: Buffer) => number;

export type LogWriter = {
  /** Takes a line, which ends with a line break. */
  write(line: string): void;
  /** Writes what the sink takes. */
  flush(): void;
  /** Whether everything was written. */
  isEmpty(): boolean;
  /** How many lines were dropped since the start. */
  droppedLines(): number;
};

type LogWriterOptions = {
  sink: Sink;
  /** The line that says how many lines were dropped. It stands where they would have been. */
  droppedLine: (count: number) => string;
  maxWaitingBytes?: number;
};

const sendBytes = 8_192;
const writeDelayMs = 100;

/** Sends many lines at once, at most 100 ms late. A line is written completely, however the sink divides it. */
export const makeLogWriter = (options: LogWriterOptions): LogWriter => {
  const { sink, droppedLine, maxWaitingBytes = 1_048_576 } = options;
  let lines: Buffer[] = [];
  let waitingBytes = 0;
  let dropped = 0;
  let allDropped = 0;
  let isBlocked = false;
  let isTimerSet = false;

  const push = (line: string): void => {
    const bytes = Buffer.from(line);
    lines.push(bytes);
    waitingBytes += bytes.length;
  };
  const pushDropped = (): void => {
    if (dropped > 0) push(droppedLine(dropped));
    dropped = 0;
  };
  const send = (): void => {
    const bytes = Buffer.concat(lines);
    const sent = sink(bytes);
    lines = sent < bytes.length ? [bytes.subarray(sent)] : [];
    waitingBytes -= sent;
    isBlocked = sent < bytes.length;
  };
  const flush = (): void => {
    if (waitingBytes > 0) send();
    if (waitingBytes === 0 && dropped > 0) {
      pushDropped();
      send();
    }
  };
  const flushLater = (): void => {
    if (isTimerSet) return;
    isTimerSet = true;
    setTimeout(() => {
      isTimerSet = false;
      flush();
      if (waitingBytes > 0) flushLater();
    }, writeDelayMs).unref();
  };
  return {
    write: (line) => {
      if (waitingBytes + line.length > maxWaitingBytes) {
        dropped++;
        allDropped++;
        return;
      }
      pushDropped();
      push(line);
      if (waitingBytes >= sendBytes && !isBlocked) flush();
      if (waitingBytes > 0) flushLater();
    },
    flush,
    isEmpty: () => waitingBytes === 0 && dropped === 0,
    droppedLines: () => allDropped,
  };
};

/**
 * The sink of standard output or standard error. Node.js has made them non-blocking where they are pipes or sockets, once the
 * stream was opened; writing to a regular file does not wait.
 */
export const sinkOf =
  ({ fd }: { fd: number }): Sink =>
  (bytes) => {
    try {
      return writeSync(fd, bytes);
    } catch {
      // Nobody reads, nobody will read any more, or the disk is full.
      return 0;
    }
  };
