// The common interface of SQLite and PostgreSQL: runs a statement, alone or in a transaction, until a deadline.
import { DatabaseUnavailable, ValueRefused } from '../values/errors.ts';
import type { NodeWatch } from './nodeWatch.ts';

export type Dialect = 'sqlite' | 'postgres';

/**
 * The SQL has the driver's placeholders: `?` on SQLite, `$1` on PostgreSQL. PostgreSQL plans a named statement once. On SQLite,
 * `many` runs it once for each list in `values`, all or none of them.
 */
export type Statement = { text: string; name?: string; many?: true };

export type Row = Record<string, unknown>;

/** `changes` is the number of rows changed by a statement that returns no rows. */
export type Result = { rows: Row[]; changes: number };

/** Runs a statement. */
export type Run = (statement: Statement, values: readonly unknown[]) => Promise<Result>;

export type PoolUse = { pool: 'write' | 'read' | 'all'; used: number; free: number; waiting: number };

export type Driver = {
  dialect: Dialect;
  read(waitMs: number, ...statement: Parameters<Run>): Promise<Result>;
  write(waitMs: number, ...statement: Parameters<Run>): Promise<Result>;
  /** Commits everything that `use` runs, or nothing. One deadline covers the connection, the lock and the first statement. */
  transaction<Used>(waitMs: number, use: (run: Run) => Promise<Used>): Promise<Used>;
  pools(): PoolUse[];
  /** True if a statement of this process failed within the last minute because the disk of the database is full. */
  isDiskFull(): boolean;
  /** On a Citus cluster. */
  nodes?: NodeWatch;
  close(): Promise<void>;
};

// Error codes of the drivers when the database cannot be reached, has no free connection, or cannot write to its disk.
const unavailableCodes = [
  /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN)$/,
  /^SQLITE_(BUSY|LOCKED|FULL|IOERR|CANTOPEN|READONLY)/,
  // PostgreSQL: connection exceptions, insufficient resources such as disk or memory, cancellation by a server timeout,
  // shutdown or startup, read-only servers such as a standby, and disk errors.
  /^(08...|53...|57014|57P0[1-5]|25006|58030)$/,
];
// PostgreSQL's driver sets no code for a lost connection of its pool.
const unavailableMessages = /^Connection terminated|is not queryable$|^timeout expired$/;

// PostgreSQL: numeric out of range, invalid or overflowing datetime, invalid byte sequence, invalid text
// representation, untranslatable character. SQLite: a value that is too long, or of a different type than its column.
const refusedValueCodes = /^(22003|22007|22008|22021|22P02|22P05|SQLITE_TOOBIG|SQLITE_MISMATCH)$/;

const diskFullCodes = ['SQLITE_FULL', '53100', 'ENOSPC', 'EDQUOT'];

const codeOf = (error: unknown): string => (error as { code?: string }).code ?? '';

/** True if SQLite, PostgreSQL or a file could not be written because its disk is full. */
export const isDiskFull = (error: unknown): boolean => diskFullCodes.includes(codeOf(error));

const diskFullMs = 60_000;

/** Turns errors of a driver into DatabaseUnavailable and ValueRefused. */
export const watchErrors = () => {
  let fullAt = Number.NEGATIVE_INFINITY;
  return {
    /** Keeps the code of the driver. */
    toKnown: (error: unknown): unknown => {
      if (isDiskFull(error)) fullAt = performance.now();
      if (!(error instanceof Error)) return error;
      const code = codeOf(error);
      const isUnavailable =
        unavailableCodes.some((form) => form.test(code)) || unavailableMessages.test(error.message);
      if (!isUnavailable && !refusedValueCodes.test(code)) return error;
      const Known = isUnavailable ? DatabaseUnavailable : ValueRefused;
      return Object.assign(new Known(error.message, { cause: error }), { code });
    },
    isDiskFull: (): boolean => performance.now() - fullAt < diskFullMs,
  };
};
