// PostgreSQL's own programs, pg_dump and pg_restore, from the PATH.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { OperatorError } from '../errors.ts';

type Tool = 'pg_dump' | 'pg_restore';

/** The environment variables of a program. */
export type ToolEnv = Record<string, string | undefined>;

type ToolOptions = {
  env: ToolEnv;
  signal?: AbortSignal;
  /** Reads what it prints, while it runs. */
  read?: (output: NodeJS.ReadableStream) => Promise<void>;
};

const errorBytesMax = 2000;

/** Runs a program. Throws OperatorError with the last line of what it complained of, or if there is no such program. */
export const runTool = async (
  tool: Tool,
  args: readonly string[],
  { env, signal, read }: ToolOptions,
): Promise<void> => {
  const child = spawn(tool, args, {
    ...{ env, signal },
    stdio: ['ignore', read ? 'pipe' : 'ignore', 'pipe'],
  });
  const errors = collectErrors(child);
  const exited = once(child, 'close');
  const [[code]] = await Promise.all([exited, read?.(child.stdout!)]).catch((error) => {
    child.kill();
    throw isMissing(error) ? new OperatorError(`${tool} is not in the PATH.`) : error;
  });
  if (code !== 0) throw new OperatorError(`${tool} failed: ${errors().trim().split('\n').at(-1)}`);
};

const isMissing = ({ code }: NodeJS.ErrnoException): boolean => code === 'ENOENT';

const collectErrors = (child: ChildProcess): (() => string) => {
  let text = '';
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
    text = (text + chunk).slice(-errorBytesMax);
  });
  return () => text;
};

/** The version of a program, such as 15.14; undefined if it is not in the PATH. */
const findToolVersion = async (tool: Tool, env: ToolEnv): Promise<string | undefined> => {
  let output = '';
  const read = async (lines: NodeJS.ReadableStream): Promise<void> => {
    for await (const chunk of lines) output += chunk;
  };
  try {
    await runTool(tool, ['--version'], { env, read });
  } catch (error) {
    if (error instanceof OperatorError) return undefined;
    throw error;
  }
  return /\d[\d.]*/.exec(output)?.[0];
};

const majorOf = (version: string): number => Number.parseInt(version, 10);

/** Throws OperatorError unless there is such a program, not older than the server. */
export const requireTool = async (
  tool: Tool,
  { serverVersion, env }: { serverVersion: string; env: ToolEnv },
): Promise<void> => {
  const version = await findToolVersion(tool, env);
  const advice = `install PostgreSQL’s client programs of version ${majorOf(serverVersion)} or later`;
  if (version === undefined)
    throw new OperatorError(
      `The server is PostgreSQL ${serverVersion}, and there is no ${tool} in the PATH: ${advice}.`,
    );
  if (majorOf(version) >= majorOf(serverVersion)) return;
  throw new OperatorError(
    `The server is PostgreSQL ${serverVersion}, and ${tool} is of version ${version}, which is older: ${advice}.`,
  );
};

/** With what a program connects. The password is in no argument, because those are public. */
export const connectionOf = (databaseUrl: string, env: ToolEnv): { argument: string; env: ToolEnv } => {
  const url = new URL(databaseUrl);
  // As the service's own driver reads it: the one of the query first.
  const password = url.searchParams.getAll('password').at(-1) || decodeURIComponent(url.password);
  url.password = '';
  // Not by searchParams, which would write the spaces of other parameters as +.
  const query = url.search.slice(1).split('&');
  url.search = query.filter((parameter) => !/^password(=|$)/.test(parameter)).join('&');
  return { argument: `--dbname=${url.href}`, env: password ? { ...env, PGPASSWORD: password } : env };
};
