// Resources of a test, such as a page, and those that the tests of one file share, such as its browser, with their cleanup.
import { AsyncLocalStorage } from 'node:async_hooks';

type Cleanup = () => Promise<unknown>;
const cleanupsOfTest = new AsyncLocalStorage<Cleanup[]>();

/**
 * Calls `close` after the test that calls this, even if it fails or others run beside it. Outside a test, as in `beforeAll`, it is
 * never called.
 */
export const afterTest = (close: Cleanup): void => void cleanupsOfTest.getStore()?.unshift(close);

/** For setupFile.ts only. */
export const runWithCleanups = async (runTest: () => Promise<void>): Promise<void> => {
  const ofTest: Cleanup[] = [];
  try {
    await cleanupsOfTest.run(ofTest, runTest);
  } finally {
    for (const close of ofTest) await close();
  }
};

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
