// The cleanup of resources of a test, such as a page, and of those that the tests of one file share, such as its browser.
import { AsyncLocalStorage } from 'node:async_hooks';
import type { TestContext } from 'vitest';

type Cleanup = () => Promise<unknown>;
const ofTest = new AsyncLocalStorage<TestContext['onTestFinished']>();

/**
 * Calls `close` after the test that calls this, even if it fails. Unlike the `onTestFinished` that `vitest` exports, it knows this
 * test if others run beside it, and does nothing outside a test, as in `beforeAll`.
 */
export const afterTest = (close: Cleanup): void => ofTest.getStore()?.(async () => void (await close()));

/** For setupFile.ts only. */
export const runWithCleanups = (run: () => Promise<void>, { onTestFinished }: TestContext): Promise<void> =>
  ofTest.run(onTestFinished, run);

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
