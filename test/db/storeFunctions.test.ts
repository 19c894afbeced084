// Every function in src that sends SQL runs on PostgreSQL. Most other tests run only on SQLite (test/support/databases.ts), which
// accepts statements that PostgreSQL refuses: with wrong types, without a cast, or with an ungrouped or ambiguous column.
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import type { DbTransaction } from '../../src/platform/db/open.ts';
import { databases } from '../support/databases.ts';
import { makeSampleDatabase } from './sampleRows.ts';
import { storeCalls, withoutStatements } from './storeCalls.ts';

const root = join(import.meta.dirname, '../../src');
const files = [
  ...globSync(
    [...['**/*tore.ts', '**/jobs.ts', 'platform/db/renewable.ts'], 'operations/signals/refreshHealth.ts'],
    { cwd: root },
  ),
].sort();
const postgres = databases.find(({ name }) => name === 'PostgreSQL');

/** True if a result has no rows, or means no change. Functions that report neither return undefined. */
const isEmpty = (name: string, result: unknown): boolean => {
  if (result === undefined) return /^(find|count|has|is|sum)/.test(name);
  if (result instanceof Map) return result.size === 0;
  return !result || (typeof result === 'object' && Object.keys(result).length === 0);
};

class Rollback extends Error {}

describe.runIf(postgres)('on PostgreSQL', () => {
  let sample: Awaited<ReturnType<typeof makeSampleDatabase>>;
  let table: ReturnType<typeof storeCalls>;
  beforeAll(async () => {
    sample = await makeSampleDatabase(postgres!);
    table = storeCalls(sample.rows);
  });

  type Call = (trx: DbTransaction) => Promise<unknown>;

  /** Makes a call in a transaction that is rolled back, and returns the fault, if any. */
  const tryCall = async (name: string, call: Call): Promise<string[]> => {
    const problems: string[] = [];
    const run = async (trx: DbTransaction): Promise<void> => {
      let statements = 0;
      const unwatch = sample.db.watch(() => statements++);
      try {
        const result = await call(trx);
        if (statements === 0) problems.push(`${name} sends no statement`);
        if (isEmpty(name, result)) problems.push(`${name} finds nothing`);
      } finally {
        unwatch();
      }
      throw new Rollback();
    };
    await sample.db.transaction(run).catch((error: Error) => {
      if (!(error instanceof Rollback)) problems.push(`${name}: ${error.message}`);
    });
    return problems;
  };

  test('the calls are those of modules that exist', () => {
    expect(Object.keys(table).sort()).toEqual(files);
  });

  test.for(files)('the functions of %s send their statements', async (file) => {
    const module: Record<string, unknown> = await import(join(root, file));
    const functions = Object.keys(module).filter(
      (name) => typeof module[name] === 'function' && !(name in withoutStatements),
    );
    const calls = table[file] ?? {};
    expect(Object.keys(calls).sort()).toEqual(functions.sort());
    const problems: string[] = [];
    for (const [name, given] of Object.entries(calls)) {
      const call = module[name] as (...values: unknown[]) => Promise<unknown>;
      const each: Call[] =
        typeof given === 'function'
          ? [(trx) => given(trx, { ...sample.db, read: trx, write: trx, transaction: (run) => run(trx) })]
          : ('each' in given ? given.each : [given]).map((values) => (trx) => call(trx, ...values));
      for (const one of each) problems.push(...(await tryCall(name, one)));
    }
    expect(problems).toEqual([]);
  });
});
