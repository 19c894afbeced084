// Runs the command line: src/main.ts in its own process, as an operator does (main.ts here, to replace tunables); or, faster for
// tests of many commands, in this process or in one server process.
import { type ChildProcess, fork, type StdioOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config } from '../../src/platform/settings/config.ts';
import { afterFile, oncePerFile } from './cleanups.ts';
import type { CliRequest } from './cliServer.ts';
import { programEnv } from './environment.ts';
import { type CliOutcome, runInProcess } from './runInProcess.ts';

const thisVersion = fileURLToPath(new URL('../..', import.meta.url));

export type Settings = Record<string, string | undefined>;

export type CliResult = CliOutcome & {
  /** The one JSON line on standard output; throws if there is not exactly one. */
  json<Shape = Record<string, unknown>>(): Shape;
};

/** The settings for commands that use the database and secrets of a running service. */
export const cliSettingsOf = ({ databaseUrl, dataDir, secretsDir }: Config): Settings => ({
  DATABASE_URL: databaseUrl,
  DATA_DIR: dataDir,
  SECRETS_DIR: secretsDir,
});

/** Starts a command in its own process. `wrapper` is a program that becomes the command, `version` the directory of another version. */
export const spawnCli = (
  args: readonly string[],
  settings: Settings,
  stdio: StdioOptions = ['ignore', 'pipe', 'pipe'],
  { wrapper = [], version = thisVersion }: { wrapper?: readonly string[]; version?: string } = {},
): ChildProcess => {
  const entry = settings.TEST_TUNABLES ? 'test/support/main.ts' : 'src/main.ts';
  const [program = '', ...rest] = [...wrapper, process.execPath, join(version, entry), ...args];
  return spawn(program, rest, { env: { ...programEnv, LOG_LEVEL: 'error', ...settings }, stdio });
};

const collectOutput = (child: ChildProcess): { out: string; err: string } => {
  const output = { out: '', err: '' };
  child.stdout!.setEncoding('utf8').on('data', (text: string) => {
    output.out += text;
  });
  child.stderr!.setEncoding('utf8').on('data', (text: string) => {
    output.err += text;
  });
  return output;
};

const toCliResult = (outcome: CliOutcome): CliResult => ({
  ...outcome,
  json: () => parseSingleLine(outcome),
});

/** Runs a command in this process, which is faster than starting one. */
export const runCli = async (settings: Settings, ...args: string[]): Promise<CliResult> =>
  toCliResult(await runInProcess(settings, args));

/** Runs a command in its own process. */
export const runCliProcess = async (settings: Settings, ...args: string[]): Promise<CliResult> => {
  const child = spawnCli(args, settings);
  const output = collectOutput(child);
  const [code] = await once(child, 'close');
  return toCliResult({ code, ...output });
};

/** Runs commands in a server process, one after another. */
export type CliRunner = (settings: Settings, ...args: string[]) => Promise<CliResult>;
type CliInputRunner = (settings: Settings, args: string[], input?: string) => Promise<CliResult>;

/** Starts a server process for the tests of this file. */
export const startCliServer = (): CliRunner => {
  const run = startInputServer();
  return (settings, ...args) => run(settings, args);
};

const startInputServer = (): CliInputRunner => {
  const child = fork(new URL('cliServer.ts', import.meta.url), { env: programEnv, execArgv: [] });
  const exited = once(child, 'exit');
  afterFile(async () => {
    child.kill('SIGKILL');
    await exited;
  });
  let previous: Promise<unknown> = Promise.resolve();
  return async (settings, args, input) => {
    const outcome = previous.then(() => requestCommand(child, { settings, args, input }));
    previous = outcome.catch(() => {});
    return toCliResult(await outcome);
  };
};

const requestCommand = async (child: ChildProcess, request: CliRequest): Promise<CliOutcome> => {
  const stopping = new AbortController();
  const { signal } = stopping;
  const exited = once(child, 'exit', { signal }).then(([code]) => {
    throw new Error(`The server process exited with ${code}.`);
  });
  exited.catch(() => {});
  child.send(request);
  const [outcome] = await Promise.race([once(child, 'message', { signal }), exited]);
  stopping.abort();
  return outcome;
};

const cliServerOfFile = oncePerFile(startInputServer);

/**
 * Runs a command in the server process of this file. Use it with a service on SQLite in this process: two writers in one
 * process would block each other forever.
 */
export const runInCliServer: CliRunner = (settings, ...args) => cliServerOfFile()(settings, args);

/** The same, with a text on standard input. */
export const runInCliServerWith = (
  input: string,
  settings: Settings,
  ...args: string[]
): Promise<CliResult> => cliServerOfFile()(settings, args, input);

// biome-ignore lint/suspicious/noExplicitAny: each test knows the shape of its command's result.
const parseSingleLine = ({ out, err }: CliOutcome): any => {
  const lines = out.split('\n');
  if (lines.length !== 2 || lines[1] !== '') throw new Error(`Not one line: ${out}\n${err}`);
  return JSON.parse(lines[0]!);
};

export type LongRunningCommand = {
  /** The result that it printed when it was ready. */
  result: Record<string, unknown>;
  output: { out: string; err: string };
  /** Sends a signal and returns the exit code, or null if the signal killed it. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
};

/** Starts a command that keeps running, with --json, and waits for its result. */
export const startLongRunning = async (
  settings: Settings,
  ...args: string[]
): Promise<LongRunningCommand> => {
  const child = spawnCli([...args, '--json'], settings);
  const output = collectOutput(child);
  const closed = once(child, 'close');
  // For a test that fails before it stops the command.
  afterFile(async () => child.kill('SIGKILL'));
  await Promise.race([once(child.stdout!, 'data'), closed]);
  if (child.exitCode !== null) throw new Error(`The command exited with ${child.exitCode}: ${output.err}`);
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

/** A temporary directory for settings, and its removal. */
export const temporaryDirectory = async (): Promise<{ path: string; remove(): Promise<void> }> => {
  const path = await mkdtemp(join(tmpdir(), 'bank-connection-operator-'));
  return { path, remove: () => rm(path, { recursive: true, force: true }) };
};
