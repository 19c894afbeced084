// The operator's command as an operator has it: src/main.ts in a process of its own. And two ways that are cheaper,
// for tests that need many commands: in this process, and in one that stays beside it.
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../src/config.ts';
import { afterFile, oncePerFile } from './afterFile.ts';
import type { CliRequest } from './cliServer.ts';
import { type CliOutcome, runInProcess } from './runInProcess.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

export type Settings = Record<string, string | undefined>;

export type CliResult = CliOutcome & {
  /** The one object on standard output; throws where it is not exactly one. */
  json<Shape = Record<string, unknown>>(): Shape;
};

/** The settings with which a command meets the same database as a service that is running. */
export const cliSettingsOf = ({ databaseUrl, dataDir, secretsDir }: Config): Settings => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  SECRETS_DIR: secretsDir,
});

// Nothing of this process's own settings, only what a test says; and the compiled code that every process shares.
const { PATH, NODE_COMPILE_CACHE } = process.env;
const env = { PATH, NODE_COMPILE_CACHE };

const spawnCli = (words: readonly string[], settings: Settings): ChildProcess =>
  spawn(process.execPath, [main, ...words], {
    env: { ...env, LOG_LEVEL: 'error', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

const collectOutput = (child: ChildProcess): { out: string; err: string } => {
  const said = { out: '', err: '' };
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    said.out += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    said.err += text;
  });
  return said;
};

const toCliResult = (outcome: CliOutcome): CliResult => ({
  ...outcome,
  json: () => parseSingleLine(outcome),
});

/** Runs a command in this process, where starting another would take longer than the command. */
export const runCli = async (settings: Settings, ...words: string[]): Promise<CliResult> =>
  toCliResult(await runInProcess(settings, words));

/** Runs a command to its end, in a process of its own. */
export const runCliProcess = async (settings: Settings, ...words: string[]): Promise<CliResult> => {
  const child = spawnCli(words, settings);
  const said = collectOutput(child);
  const [code] = await once(child, 'close');
  return toCliResult({ code, ...said });
};

/** A process that is not this one and runs commands, one after another. */
export type CliRunner = (settings: Settings, ...words: string[]) => Promise<CliResult>;

/** Opens one, for as long as this file runs. */
export const startCliServer = (): CliRunner => {
  const child = fork(new URL('cliServer.ts', import.meta.url), { env, execArgv: [] });
  const exited = once(child, 'exit');
  afterFile(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  let turn: Promise<unknown> = Promise.resolve();
  return async (settings, ...args) => {
    const answered = turn.then(() => requestCommand(child, { settings, args }));
    turn = answered.catch(() => {});
    return toCliResult(await answered);
  };
};

const requestCommand = async (child: ChildProcess, asked: CliRequest): Promise<CliOutcome> => {
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

const cliServerOfFile = oncePerFile(startCliServer);

/**
 * Runs a command in a process that is not this one and serves this whole file. That is what SQLite needs: two
 * writers in one process would wait for each other for good.
 */
export const runInCliServer: CliRunner = (settings, ...words) => cliServerOfFile()(settings, ...words);

// biome-ignore lint/suspicious/noExplicitAny: a test knows what its command answers.
const parseSingleLine = ({ out, err }: CliOutcome): any => {
  const lines = out.split('\n');
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`Not one line: ${out}\n${err}`);
  return JSON.parse(lines[0]!);
};

export type LongRunningCommand = {
  /** What it answered before it went on. */
  result: Record<string, unknown>;
  output: { out: string; err: string };
  /** Ends it with a signal; the exit code, or null where the signal killed it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

/** Starts a command that stays, with --json, and waits for its answer. */
export const startLongRunning = async (
  settings: Settings,
  ...words: string[]
): Promise<LongRunningCommand> => {
  const child = spawnCli([...words, '--json'], settings);
  const output = collectOutput(child);
  const closed = once(child, 'close');
  // A test that fails before it stops it leaves nothing running either.
  afterFile(async () => child.kill('SIGKILL'));
  await Promise.race([once(child.stdout!, 'data'), closed]);
  if (child.exitCode !== null) throw new Error(`It ended with ${child.exitCode}: ${output.err}`);
  return {
    result: JSON.parse(output.out),
    output,
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
