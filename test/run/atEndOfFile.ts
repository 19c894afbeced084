// What a test file shares among its tests (its browser) is closed when the last of them has ended.

type Close = () => Promise<unknown>;
const closes: Close[] = [];

/** Has `close` called after the last test of this file, the latest first. May be called inside a test. */
export const atEndOfFile = (close: Close): void => {
  closes.unshift(close);
};

/** Makes something at the first call in a file, and anew in the next file that this process runs. */
export const oncePerFile = <Thing>(make: () => Thing): (() => Thing) => {
  let made: { thing: Thing } | undefined;
  return () => {
    if (!made) {
      made = { thing: make() };
      atEndOfFile(async () => {
        made = undefined;
      });
    }
    return made.thing;
  };
};

/** For test/run/eachFile.ts alone. */
export const closeAll = async (): Promise<void> => {
  for (const close of closes.splice(0)) await close();
};
