// How far long work is, on standard error: one line that changes on a terminal, a line now and then elsewhere.

export type Progress = {
  show(line: string): void;
  /** A line that stays. */
  say(line: string): void;
  end(): void;
};

type Stream = { write(text: string): unknown; isTTY?: boolean };

const plainEveryMs = 2000;
const clearLine = '\r\u001b[2K';

export const progressOn = (stream: Stream): Progress => {
  let shown = false;
  let last = Date.now();
  const clear = (): void => {
    if (shown) stream.write(clearLine);
    shown = false;
  };
  return {
    show: (line) => {
      if (stream.isTTY) {
        stream.write(`${clearLine}${line}`);
        shown = true;
      } else if (Date.now() - last >= plainEveryMs) {
        stream.write(`${line}\n`);
        last = Date.now();
      }
    },
    say: (line) => {
      clear();
      stream.write(`${line}\n`);
    },
    end: clear,
  };
};
