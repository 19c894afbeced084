// Work on many rows in steps.
import { setImmediate } from 'node:timers/promises';

const rowsPerStatement = 200;

/**
 * Runs a statement for a few items at a time. Other tasks of the process run in between; within a transaction on SQLite, none
 * that writes.
 */
export const inBatches = async <Item>(
  items: readonly Item[],
  run: (batch: Item[]) => PromiseLike<unknown>,
): Promise<void> => {
  for (let at = 0; at < items.length; at += rowsPerStatement) {
    await run(items.slice(at, at + rowsPerStatement));
    await setImmediate();
  }
};
