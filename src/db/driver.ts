// What SQLite and PostgreSQL do alike: run a statement, alone or in a transaction, until a deadline.
import type { Deadline } from './waits.ts';

export type Dialect = 'sqlite' | 'postgres';

/**
 * With the driver's placeholders: `?` on SQLite, `$1` on PostgreSQL, where a name lets the server plan it once. On SQLite `many`
 * runs it with each of the values, which are lists, all or none of them.
 */
export type Statement = { text: string; name?: string; many?: true };

export type Row = Record<string, unknown>;

/** `changes` is how many rows a statement without rows has changed. */
export type Result = { rows: Row[]; changes: number };

/** Runs a statement. */
export type Run = (statement: Statement, values: readonly unknown[]) => Promise<Result>;

export type PoolUse = { pool: 'read' | 'write' | 'all'; used: number; free: number; waiting: number };

export type Driver = {
  dialect: Dialect;
  read(deadline: Deadline, ...statement: Parameters<Run>): Promise<Result>;
  write(deadline: Deadline, ...statement: Parameters<Run>): Promise<Result>;
  /** Commits what `use` runs, or nothing. Each statement after the first waits for at most `statementMs`. */
  transaction<Used>(deadline: Deadline, use: (run: Run) => Promise<Used>, statementMs: number): Promise<Used>;
  pools(): PoolUse[];
  /** Whether a statement of this process failed within the last minute because the disk of the database is full. */
  isDiskFull(): boolean;
  close(): Promise<void>;
};

const diskFullCodes = ['SQLITE_FULL', '53100', 'ENOSPC', 'EDQUOT'];

/** Whether SQLite, PostgreSQL or a file could not be written because its disk is full. */
export const isDiskFull = (error: unknown): boolean =>
  diskFullCodes.includes((error as { code?: string }).code ?? '');

const diskFullMs = 60_000;

/** Remembers that the disk was full. */
export const watchDisk = () => {
  let fullAt = Number.NEGATIVE_INFINITY;
  return {
    note: (error: unknown): void => {
      if (isDiskFull(error)) fullAt = performance.now();
    },
    isFull: (): boolean => performance.now() - fullAt < diskFullMs,
  };
};
