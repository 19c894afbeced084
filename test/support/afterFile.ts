// Resources that the tests of one file share, such as its browser, and their cleanup after the last test.

type Cleanup = () => Promise<unknown>;
const cleanups: Cleanup[] = [];

/** Calls `close` after the last test of this file, in reverse order of registration. May be called inside a test. */
export const afterFile = (close: Cleanup): void => {
  cleanups.unshift(close);
};

/** Creates a resource at the first call in a file, and a new one for the next file that this process runs. */
export const oncePerFile = <Resource>(make: () => Resource): (() => Resource) => {
  let made: { resource: Resource } | undefined;
  return () => {
    if (!made) {
      made = { resource: make() };
      afterFile(async () => {
        made = undefined;
      });
    }
    return made.resource;
  };
};

/** For setupFile.ts only. */
export const runCleanups = async (): Promise<void> => {
  for (const close of cleanups.splice(0)) await close();
};
