// The operator's command as an operator has it: src/main.ts in a process of its own.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inject } from 'vitest';
import { runCommand } from '../../src/commands/program.ts';
import type { Config } from '../../src/config.ts';
import { atEndOfFile } from '../run/atEndOfFile.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export type Settings = Record<string, string | undefined>;

export type Said = {
  code: number | null;
  out: string;
  err: string;
  /** The one object on standard output; throws where it is not exactly one. */
  json<Shape = Record<string, unknown>>(): Shape;
};

/** The settings with which a command meets the same database as a service that is running. */
export const settingsOf = ({ databaseUrl, dataDir, secretsDir }: Config): Settings => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  SECRETS_DIR: secretsDir,
});

const start = (words: readonly string[], settings: Settings): ChildProcess =>
  spawn(process.execPath, [main, ...words], {
    // Nothing of this process's own settings: only what a test says.
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: compileCache(), LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

// Every child reads the same sources: all but the first find them compiled.
const compileCache = (): string => join(inject('runDirectory'), 'compiled');

const gather = (child: ChildProcess): { out: string; err: string } => {
  const said = { out: '', err: '' };
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  return said;
};

/** Runs a command in this process, where starting another would take longer than the command. */
export const runHere = async (settings: Settings, ...words: string[]): Promise<Said> => {
  const said = { out: '', err: '' };
  const into = (name: 'out' | 'err') => ({
    write: (text: string, written?: () => void) => {
      said[name] += text;
      written?.();
    },
  });
  const env = { LOG_LEVEL: 'error', ...settings };
  const terminal = { env, out: into('out'), err: into('err'), exitCode: 0 };
  await runCommand(['node', 'bank-connection', ...words], terminal);
  return { code: terminal.exitCode, ...said, json: () => parseOne(said) };
};

/** Runs a command to its end, in a process of its own. */
export const run = async (settings: Settings, ...words: string[]): Promise<Said> => {
  const child = start(words, settings);
  const said = gather(child);
  const [code] = await once(child, 'close');
  return { code, ...said, json: () => parseOne(said) };
};

// biome-ignore lint/suspicious/noExplicitAny: a test knows what its command answers.
const parseOne = ({ out, err }: { out: string; err: string }): any => {
  const lines = out.split('\n');
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`Not one line: ${out}\n${err}`);
  return JSON.parse(lines[0]!);
};

export type Staying = {
  /** What it answered before it went on. */
  answer: Record<string, unknown>;
  said: { out: string; err: string };
  /** Ends it with a signal; the exit code, or null where the signal killed it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

/** Starts a command that stays, with --json, and waits for its answer. */
export const startStaying = async (settings: Settings, ...words: string[]): Promise<Staying> => {
  const child = start([...words, '--json'], settings);
  const said = gather(child);
  const closed = once(child, 'close');
  // A test that fails before it stops it leaves nothing running either.
  atEndOfFile(async () => child.kill('SIGKILL'));
  await Promise.race([once(child.stdout!, 'data'), closed]);
  if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${said.err}`);
  return {
    answer: JSON.parse(said.out),
    said,
    stop: async (signal = 'SIGTERM') => {
      child.kill(signal);
      const [code] = await closed;
      return code;
    },
  };
};

/** A directory for settings to point into, and how it goes away. */
export const temporaryDirectory = async (): Promise<{ path: string; remove(): Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), 'bank-connection-operator-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};
