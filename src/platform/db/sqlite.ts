// SQLite: one writing connection (BEGIN IMMEDIATE, so that two processes queue instead of failing midway), and one for reads,
// which in WAL mode never wait for it. Both block the process while a statement runs, so more connections would not help.
import { accessSync, chmodSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import BetterSqlite3 from 'better-sqlite3';
import { describeOwner } from '../settings/describeOwner.ts';
import { DatabaseUnavailable, OperatorError } from '../values/errors.ts';
import { type Driver, type Result, type Row, type Run, type Statement, watchErrors } from './driver.ts';
import { type Deadline, inTime } from './waits.ts';

type Connection = BetterSqlite3.Database;

/** Startup waits for the lock at most this long. */
const startupMs = 10_000;
const closeMs = 10_000;

export type SqliteDriver = Driver & {
  /** Prevents all other writes meanwhile. */
  exclusive<Used>(waitMs: number, use: (writer: Connection) => Used | Promise<Used>): Promise<Used>;
};

/** Creates a missing file. Throws OperatorError if it cannot be used. */
export const openSqlite = async (filename: string): Promise<SqliteDriver> => {
  // The writer connects first: it creates the file, and WAL mode is a property of the file.
  const writer = await connect(filename, 'journal_mode = WAL');
  for (const file of filesOf(filename)) {
    try {
      chmodSync(file, 0o600);
    } catch {
      // The -wal and -shm files exist only after the first write; SQLite creates them with the mode of the file.
    }
  }
  const reader = await connect(filename, 'query_only = ON');
  const turns = makeTurns();
  const { toKnown, isDiskFull } = watchErrors();
  const known = <Done>(run: () => Done): Done => {
    try {
      return run();
    } catch (error) {
      throw toKnown(error);
    }
  };
  const execute = (connection: Connection, ...statement: Parameters<Run>): Result =>
    known(() => executeStatement(connection, ...statement));
  const exclusive: SqliteDriver['exclusive'] = (waitMs, use) =>
    turns.run(deadlineIn(waitMs), () => use(writer));
  return {
    dialect: 'sqlite',
    exclusive,
    read: (waitMs, ...statement) => whenUnlocked(() => execute(reader, ...statement), deadlineIn(waitMs)),
    write: (waitMs, ...statement) => {
      const deadline = deadlineIn(waitMs);
      return turns.run(deadline, () => whenUnlocked(() => execute(writer, ...statement), deadline));
    },
    transaction: (waitMs, use) => {
      const deadline = deadlineIn(waitMs);
      return turns.run(deadline, async () => {
        await whenUnlocked(() => known(() => writer.exec('BEGIN IMMEDIATE')), deadline);
        let isOpen = true;
        // SQLite itself may roll back, for example when the disk is full. Later statements must not be committed alone.
        const requireOpen = (): void => {
          if (!isOpen || !writer.inTransaction)
            throw new DatabaseUnavailable('The transaction was rolled back.');
        };
        try {
          const used = await use(async (...statement) => {
            requireOpen();
            return execute(writer, ...statement);
          });
          requireOpen();
          known(() => writer.exec('COMMIT'));
          return used;
        } finally {
          isOpen = false;
          if (writer.inTransaction) writer.exec('ROLLBACK');
        }
      });
    },
    pools: () => [{ pool: 'write', ...turns.use() }],
    isDiskFull,
    close: () =>
      turns.run(deadlineIn(closeMs), () => {
        reader.close();
        writer.close();
      }),
  };
};

const filesOf = (filename: string): string[] => [filename, `${filename}-wal`, `${filename}-shm`];

const connect = async (filename: string, mode: string): Promise<Connection> => {
  try {
    // SQLite's message names neither the file nor the missing permission.
    for (const file of filesOf(filename)) accessSync(existsSync(file) ? file : dirname(file), constants.W_OK);
    // SQLite's own wait blocks the process, and fails at once if another process also changes the mode of a new file.
    const connection = new BetterSqlite3(filename, { timeout: 0 });
    const deadline = deadlineIn(startupMs);
    for (const pragma of ['foreign_keys = ON', 'secure_delete = ON', 'synchronous = NORMAL', mode])
      await whenUnlocked(() => connection.pragma(pragma), deadline);
    return connection;
  } catch (error) {
    const { message, path = filename } = error as NodeJS.ErrnoException;
    throw new OperatorError(
      `The database file ${filename} cannot be used: ${message}.${describeOwner(path)}`,
    );
  }
};

const retryMsMax = 25;

/** Runs a statement once no other process holds the lock. Throws SQLite's error if the lock is still held at the deadline. */
const whenUnlocked = async <Done>(run: () => Done, deadline: Deadline): Promise<Done> => {
  for (let pause = 1; ; pause = Math.min(pause * 2, retryMsMax)) {
    try {
      return run();
    } catch (error) {
      const isLocked = /^SQLITE_(BUSY|LOCKED)/.test((error as { code?: string }).code ?? '');
      if (!isLocked || performance.now() >= deadline) throw error;
    }
    await sleep(pause);
  }
};

const executeStatement = (
  connection: Connection,
  { text, many }: Statement,
  values: readonly unknown[],
): Result => {
  const statement = prepareCached(connection, text);
  if (many) return executeMany(connection, statement, values as unknown[][]);
  const bindings = values.map(toBinding);
  if (statement.reader) return { rows: statement.all(bindings) as Row[], changes: 0 };
  return { rows: [], changes: statement.run(bindings).changes };
};

const executeMany = (
  connection: Connection,
  statement: BetterSqlite3.Statement,
  rows: readonly unknown[][],
): Result => {
  const runAll = (): void => {
    for (const row of rows) statement.run(row);
  };
  if (connection.inTransaction) runAll();
  else connection.transaction(runAll).immediate();
  return { rows: [], changes: rows.length };
};

const toBinding = (value: unknown): unknown => {
  if (typeof value === 'boolean') return Number(value);
  return value instanceof Date ? value.getTime() : value;
};

const statementCacheMax = 200;
const caches = new WeakMap<Connection, Map<string, BetterSqlite3.Statement>>();

const prepareCached = (connection: Connection, text: string): BetterSqlite3.Statement => {
  const cache = caches.get(connection) ?? new Map<string, BetterSqlite3.Statement>();
  caches.set(connection, cache);
  const cached = cache.get(text);
  if (cached) return cached;
  const statement = connection.prepare(text);
  if (cache.size >= statementCacheMax) cache.clear();
  cache.set(text, statement);
  return statement;
};

const deadlineIn = (waitMs: number): Deadline => performance.now() + waitMs;

/** Runs one task at a time, in the order of the calls. */
const makeTurns = () => {
  let isTaken = false;
  const waiting = new Set<() => void>();
  const take = async (deadline: Deadline): Promise<void> => {
    if (!isTaken) {
      isTaken = true;
      return;
    }
    const { promise, resolve } = Promise.withResolvers<void>();
    waiting.add(resolve);
    await inTime(promise, deadline, {
      message: 'No connection to the database was free in time.',
      giveUp: () => waiting.delete(resolve),
    });
  };
  const give = (): void => {
    const [next] = waiting;
    if (!next) isTaken = false;
    else {
      waiting.delete(next);
      next();
    }
  };
  return {
    run: async <Result>(deadline: Deadline, task: () => Result | Promise<Result>): Promise<Result> => {
      await take(deadline);
      try {
        return await task();
      } finally {
        give();
      }
    },
    use: () => ({ used: isTaken ? 1 : 0, free: isTaken ? 0 : 1, waiting: waiting.size }),
  };
};
