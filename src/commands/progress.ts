// Progress of long commands on standard error: one changing line on a terminal, a new line every two seconds elsewhere.

export type Progress = {
  update(line: string): void;
  /** Prints a line that stays. */
  info(line: string): void;
  end(): void;
};

type Stream = { write(text: string): unknown; isTTY?: boolean };

const plainIntervalMs = 2000;
const clearLine = '\r\u001b[2K';

export const makeProgress = (stream: Stream): Progress => {
  let hasLine = false;
  let lastWrite = Date.now();
  const clear = (): void => {
    if (hasLine) stream.write(clearLine);
    hasLine = false;
  };
  return {
    update: (line) => {
      if (stream.isTTY) {
        stream.write(`${clearLine}${line}`);
        hasLine = true;
      } else if (Date.now() - lastWrite >= plainIntervalMs) {
        stream.write(`${line}\n`);
        lastWrite = Date.now();
      }
    },
    info: (line) => {
      clear();
      stream.write(`${line}\n`);
    },
    end: clear,
  };
};
