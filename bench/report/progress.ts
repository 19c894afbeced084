// A progress line that is overwritten in place, only on a terminal.

export type Progress = { show(text: string): void; clear(): void };

export const makeProgress = (): Progress => {
  const { stderr } = process;
  const write = (text: string): void => {
    if (stderr.isTTY) stderr.write(`\r\u001b[2K${text}`);
  };
  let last = '';
  return {
    show: (text) => {
      write(text);
      // Without a terminal, one line per row.
      const row = text.split(':')[0]!;
      if (!stderr.isTTY && row !== last) stderr.write(`${row}\n`);
      last = row;
    },
    clear: () => write(''),
  };
};
