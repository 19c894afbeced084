// What a test file shares among its tests (its browser) is closed when the last of them has ended.

type Cleanup = () => Promise<unknown>;
const cleanups: Cleanup[] = [];

/** Has `close` called after the last test of this file, the latest first. May be called inside a test. */
export const afterFile = (close: Cleanup): void => {
  cleanups.unshift(close);
};

/** Makes something at the first call in a file, and anew in the next file that this process runs. */
export const oncePerFile = <Thing>(make: () => Thing): (() => Thing) => {
  let made: { thing: Thing } | undefined;
  return () => {
    if (!made) {
      made = { thing: make() };
      afterFile(async () => {
        made = undefined;
      });
    }
    return made.thing;
  };
};

/** For test/run/eachFile.ts alone. */
export const runCleanups = async (): Promise<void> => {
  for (const close of cleanups.splice(0)) await close();
};
