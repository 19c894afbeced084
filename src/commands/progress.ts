// How far long work is, on standard error: one line that changes on a terminal, a line now and then elsewhere.

export type Progress = {
  update(line: string): void;
  /** A line that stays. */
  info(line: string): void;
  end(): void;
};

type Stream = { write(text: string): unknown; isTTY?: boolean };

const plainIntervalMs = 2000;
const clearLine = '\r\u001b[2K';

export const makeProgress = (stream: Stream): Progress => {
  let shown = false;
  let last = Date.now();
  const clear = (): void => {
    if (shown) stream.write(clearLine);
    shown = false;
  };
  return {
    update: (line) => {
      if (stream.isTTY) {
        stream.write(`${clearLine}${line}`);
        shown = true;
      } else if (Date.now() - last >= plainIntervalMs) {
        stream.write(`${line}\n`);
        last = Date.now();
      }
    },
    info: (line) => {
      clear();
      stream.write(`${line}\n`);
    },
    end: clear,
  };
};
