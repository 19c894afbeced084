// Defines and runs commands. Standard output contains only the result: one JSON object with --json, lines of text otherwise.
// Progress (one changing line on a terminal, a new line every two seconds elsewhere), warnings and errors go to standard error.
import { type Command, InvalidArgumentError } from 'commander';
import { type Config, readConfig } from '../../platform/settings/config.ts';
import type { Tunables } from '../../platform/settings/tunables.ts';
import { UsageError } from '../../platform/values/errors.ts';
import { isPlainText } from '../../platform/values/text.ts';

export type CommandResult = {
  json: Record<string, unknown>;
  text: readonly string[];
  /** Exits with code 1 despite having a result. */
  failed?: boolean;
  /** Starts before the result is printed; the process runs until it resolves. */
  longRunning?: () => Promise<void>;
};

export type CommandContext = {
  config: Config;
  /** The environment for programs that a command runs. */
  env: Terminal['env'];
  /** True if the result is printed as JSON. */
  json: boolean;
  progress: Progress;
  /** Reads all of standard input. */
  readInput(): Promise<string>;
};

export type OperatorCommand = {
  summary: string;
  /** Command lines for its help, without the program's name. */
  examples?: readonly string[];
  /** Adds the command's options and arguments. */
  options?(command: Command): Command;
  /** `input` contains the values of options and arguments by name. */
  run(context: CommandContext, input: unknown): Promise<CommandResult>;
};

/** Defines a command; `Input` must match what its `options` add. */
export const defineCommand = <Input>(
  command: Omit<OperatorCommand, 'run'> & {
    run(context: CommandContext, input: Input): Promise<CommandResult>;
  },
): OperatorCommand => ({ ...command, run: (context, input) => command.run(context, input as Input) });

/** Parses an option as an integer from `min` to `max`. Throws InvalidArgumentError. */
export const integerOption =
  (min: number, max: number) =>
  (text: string): number => {
    const number = Number(text);
    if (/^\d+$/.test(text) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(`It must be a whole number from ${min} to ${max}.`);
  };

/** Checks a text option with the same rule as any other external text. Throws InvalidArgumentError. */
export const textOption =
  (lengthMax: number) =>
  (text: string): string => {
    if (text.trim() !== '' && text.length <= lengthMax && isPlainText(text)) return text;
    throw new InvalidArgumentError(
      `Use 1 to ${lengthMax} characters. Control characters and text consisting only of spaces are not allowed.`,
    );
  };

type OutputStream = {
  write(text: string, written?: (error?: Error | null) => void): unknown;
  isTTY?: boolean;
};

/** The environment variables and streams of a run, and its exit code (initially 0). */
export type Terminal = {
  env: Record<string, string | undefined>;
  in: AsyncIterable<string | Buffer>;
  out: OutputStream;
  err: OutputStream;
  exitCode: number;
};

/** Adds an operator command to commander's command. */
export const registerCommand = (
  command: Command,
  operator: OperatorCommand,
  terminal: Terminal,
  tunables: Partial<Tunables>,
): void => {
  command.description(operator.summary).option('--json', 'print the result as one JSON object');
  operator.options?.(command);
  const examples = operator.examples?.map((example) => `  bank-connection ${example}\n`).join('');
  if (examples) command.addHelpText('after', `\nExamples:\n${examples}`.trimEnd());
  command.action(async () => {
    const { json = false, ...options } = command.opts<{ json?: boolean }>();
    const { registeredArguments, processedArgs } = command;
    const positional = registeredArguments.map((argument, index) => [argument.name(), processedArgs[index]]);
    const input = { ...options, ...Object.fromEntries(positional) };
    const progress = makeProgress(terminal.err);
    const readInput = () => readAll(terminal.in);
    const { env } = terminal;
    const context = { config: readConfig(env, tunables), env, json, progress, readInput };
    const result = await operator.run(context, input).finally(progress.end);
    const lines = json ? [JSON.stringify(result.json)] : result.text;
    // Listens for signals before printing the result, because a script may stop a long-running command once it has the result.
    const running = result.longRunning?.();
    await writeOutput(terminal.out, lines.map((line) => `${line}\n`).join(''));
    if (result.failed) terminal.exitCode = 1;
    await running;
  });
};

const inputBytesMax = 64 * 1024;

const readAll = async (input: AsyncIterable<string | Buffer>): Promise<string> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of input) {
    bytes += chunks[chunks.push(Buffer.from(chunk)) - 1]!.length;
    if (bytes > inputBytesMax) throw new UsageError('Standard input exceeds 64 KiB.');
  }
  return Buffer.concat(chunks).toString();
};

// Waits until the pipe has accepted the text, because the process may exit right after this.
const writeOutput = (stream: OutputStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });

export type Progress = {
  update(line: string): void;
  /** Prints a permanent line. */
  info(line: string): void;
  end(): void;
};

const plainIntervalMs = 2000;
const clearLine = '\r\u001b[2K';

export const makeProgress = (stream: OutputStream): Progress => {
  let hasLine = false;
  let lastWrite = Date.now();
  const clear = (): void => {
    if (hasLine) stream.write(clearLine);
    hasLine = false;
  };
  return {
    update: (line) => {
      if (stream.isTTY) {
        stream.write(`${clearLine}${line}`);
        hasLine = true;
      } else if (Date.now() - lastWrite >= plainIntervalMs) {
        stream.write(`${line}\n`);
        lastWrite = Date.now();
      }
    },
    info: (line) => {
      clear();
      stream.write(`${line}\n`);
    },
    end: clear,
  };
};

/** `label  value` in two columns; pairs without a value are omitted. */
export const keyValueTable = (pairs: readonly (readonly [label: string, value: unknown])[]): string[] => {
  const present = pairs.filter(([, value]) => value !== undefined && value !== null && value !== '');
  const width = Math.max(...present.map(([label]) => label.length));
  return present.map(([label, value]) => `${label.padEnd(width)}  ${value}`);
};

/** Rows below their headings, each column as wide as its widest cell. `none` replaces an empty table, if given. */
export const table = (
  headings: readonly string[],
  rows: readonly (readonly unknown[])[],
  none?: string,
): string[] => {
  if (rows.length === 0 && none !== undefined) return [none];
  const cells = [headings, ...rows].map((row) => row.map((cell) => String(cell ?? '')));
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]!.length)));
  const pad = (cell: string, column: number): string => cell.padEnd(widths[column]!);
  return cells.map((row) => row.map(pad).join('  ').trimEnd());
};

/** The instruction for the next page of a list, if there is one. */
export const nextPageHint = (next: string | undefined): string[] =>
  next ? [`For more results, add --after ${next}.`] : [];

/** An ISO time as `2024-05-01 12:30:00 UTC`. */
export const formatTime = (time: string | null | undefined): string | undefined =>
  time ? `${time.slice(0, 10)} ${time.slice(11, 19)} UTC` : undefined;

/** `1 connection`, `2 connections`. */
export const pluralize = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
