// Schedules long work in chunks: one chunk per round of the event loop, for all tasks together. A short request waits for at
// most one chunk, and long ones share the rest.

/** Call it between two chunks. It resolves when the next chunk may run. */
export type YieldTurn = () => Promise<void>;

/** A first-in, first-out scheduler for one process. */
export const makeFairScheduler = (): YieldTurn => {
  const waiting: (() => void)[] = [];
  const resolveNext = (): void => {
    waiting.shift()!();
    if (waiting.length > 0) setImmediate(resolveNext);
  };
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(resolveNext);
    });
};

/** Lets other tasks of the process run if this one has run for some milliseconds. */
export const makeYielder = (): (() => Promise<void>) => {
  const turnMs = 4;
  let startedAt = performance.now();
  return async () => {
    if (performance.now() - startedAt < turnMs) return;
    await new Promise((resolve) => setImmediate(resolve));
    startedAt = performance.now();
  };
};

const rowsPerStatement = 200;

/**
 * Runs a statement for a few items at a time. Other tasks of the process run in between, except writes while SQLite is in a
 * transaction.
 */
export const inBatches = async <Item>(
  items: readonly Item[],
  run: (batch: Item[]) => PromiseLike<unknown>,
): Promise<void> => {
  for (let at = 0; at < items.length; at += rowsPerStatement) {
    await run(items.slice(at, at + rowsPerStatement));
    await new Promise((resolve) => setImmediate(resolve));
  }
};
