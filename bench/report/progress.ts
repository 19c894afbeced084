// What is being measured, on one line that is written over: on the terminal only, never in the table.

export const makeProgress = (): { show(text: string): void; clear(): void } => {
  const { stderr } = process;
  const write = (text: string): void => {
    if (stderr.isTTY) stderr.write(`\r\u001b[2K${text}`);
  };
  let last = '';
  return {
    show: (text) => {
      write(text);
      // Where nothing can be written over, one line for each row is enough.
      const row = text.split(':')[0]!;
      if (!stderr.isTTY && row !== last) stderr.write(`${row}\n`);
      last = row;
    },
    clear: () => write(''),
  };
};
