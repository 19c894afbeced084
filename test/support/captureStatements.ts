// Loaded before a program (`node --import`), writes each different statement that it runs to a file of CAPTURE_STATEMENTS, a
// directory: one line of JSON each. scripts/captureStatements.ts runs the tests with it.
import { appendFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { threadId } from 'node:worker_threads';
import type BetterSqlite3 from 'better-sqlite3';
import type pg from 'pg';
import { normalizeStatement } from './statements.ts';

const require = createRequire(import.meta.url);
const seen = new Set<string>();

const record = (dialect: 'sqlite' | 'postgres', sql: unknown): void => {
  if (typeof sql !== 'string' || !/^\s*(select|insert|update|delete|with)\b/i.test(sql)) return;
  const line = `${JSON.stringify({ dialect, sql: normalizeStatement(sql) })}\n`;
  if (seen.has(line)) return;
  seen.add(line);
  appendFileSync(join(process.env.CAPTURE_STATEMENTS!, `${process.pid}-${threadId}.jsonl`), line);
};

const { prototype: sqlite } = require('better-sqlite3') as typeof BetterSqlite3;
const prepare = sqlite.prepare;
sqlite.prepare = function (this: BetterSqlite3.Database, sql: string) {
  record('sqlite', sql);
  return prepare.call(this, sql);
} as typeof prepare;

const { prototype: postgres } = (require('pg') as typeof pg).Client;
const query = postgres.query as (...given: unknown[]) => unknown;
postgres.query = function (this: pg.Client, ...given: unknown[]) {
  const [first] = given;
  record('postgres', (first as { text?: string } | undefined)?.text ?? first);
  return query.apply(this, given);
} as typeof postgres.query;
