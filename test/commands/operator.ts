// The operator's command as an operator has it: src/main.ts in a process of its own. And two ways that are cheaper,
// for tests that need many commands: in this process, and in one that stays beside it.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../src/config.ts';
import { atEndOfFile, oncePerFile } from '../run/atEndOfFile.ts';
import type { Asked } from './desk.ts';
import { type Outcome, runInside } from './inside.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export type Settings = Record<string, string | undefined>;

export type Said = Outcome & {
  /** The one object on standard output; throws where it is not exactly one. */
  json<Shape = Record<string, unknown>>(): Shape;
};

/** The settings with which a command meets the same database as a service that is running. */
export const settingsOf = ({ databaseUrl, dataDir, secretsDir }: Config): Settings => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  SECRETS_DIR: secretsDir,
});

// Nothing of this process's own settings, only what a test says; and the compiled code that every process shares.
const { PATH, NODE_COMPILE_CACHE } = process.env;
const env = { PATH, NODE_COMPILE_CACHE };

const start = (words: readonly string[], settings: Settings): ChildProcess =>
  spawn(process.execPath, [main, ...words], {
    env: { ...env, LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

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

const readable = (outcome: Outcome): Said => ({ ...outcome, json: () => parseOne(outcome) });

/** Runs a command in this process, where starting another would take longer than the command. */
export const runHere = async (settings: Settings, ...words: string[]): Promise<Said> =>
  readable(await runInside(settings, words));

/** Runs a command to its end, in a process of its own. */
export const run = async (settings: Settings, ...words: string[]): Promise<Said> => {
  const child = start(words, settings);
  const said = gather(child);
  const [code] = await once(child, 'close');
  return readable({ code, ...said });
};

/** A process that is not this one and runs commands, one after another. */
export type Desk = (settings: Settings, ...words: string[]) => Promise<Said>;

/** Opens one, for as long as this file runs. */
export const openDesk = (): Desk => {
  const child = fork(new URL('desk.ts', import.meta.url), { env, execArgv: [] });
  const exited = once(child, 'exit');
  atEndOfFile(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  let turn: Promise<unknown> = Promise.resolve();
  return async (settings, ...words) => {
    const answered = turn.then(() => ask(child, { settings, words }));
    turn = answered.catch(() => {});
    return readable(await answered);
  };
};

const ask = async (child: ChildProcess, asked: Asked): Promise<Outcome> => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const gone = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`The process beside this one ended with ${code}.`);
  });
  gone.catch(() => {});
  child.send(asked);
  const [outcome] = await Promise.race([once(child, 'message', { signal }), gone]);
  stopping.abort();
  return outcome;
};

const deskOfFile = oncePerFile(openDesk);

/**
 * Runs a command in a process that is not this one and serves this whole file. That is what SQLite needs: two
 * writers in one process would wait for each other for good.
 */
export const runBeside: Desk = (settings, ...words) => deskOfFile()(settings, ...words);

// biome-ignore lint/suspicious/noExplicitAny: a test knows what its command answers.
const parseOne = ({ out, err }: Outcome): any => {
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
