// Splits work on many rows into steps.
import { setImmediate } from 'node:timers/promises';

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
    await setImmediate();
  }
};
