// What an operator's command is made of, and how one runs. A command gives one answer: an object for scripts
// (--json), lines for people otherwise; that is all that reaches standard output. Words on the way, progress and
// complaints go to standard error.
import type { Command } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { OperatorError } from '../errors.ts';
import { type Progress, makeProgress } from './progress.ts';

/** What was typed does not make a command, in a way that its options alone do not show. */
export class UsageError extends OperatorError {}

export type ProcessEnv = Record<string, string | undefined>;

export type CommandResult = {
  json: Record<string, unknown>;
  text: readonly string[];
  /** Not everything went well: the exit code says so. */
  failed?: boolean;
  /** What goes on after the answer was given, for a command that stays. */
  longRunning?: () => Promise<void>;
};

/** What a command runs with. */
export type CommandContext = {
  config: Config;
  /** Whether the answer is for a script. */
  json: boolean;
  progress: Progress;
};

export type OperatorCommand = {
  summary: string;
  /** Adds the command's own options and arguments. */
  options?(command: Command): Command;
  /** `input` has the options by their names, and the arguments by theirs. */
  run(stage: CommandContext, input: unknown): Promise<CommandResult>;
};

/** A command whose input has this type: the one that its options and arguments, as `takes` adds them, make. */
export const defineCommand = <Input>(
  command: Omit<OperatorCommand, 'run'> & {
    run(stage: CommandContext, input: Input): Promise<CommandResult>;
  },
): OperatorCommand => ({ ...command, run: (stage, input) => command.run(stage, input as Input) });

type OutputStream = {
  write(text: string, written?: (error?: Error | null) => void): unknown;
  isTTY?: boolean;
};

/** Where a command is run, and what becomes of it. */
export type Terminal = {
  env: ProcessEnv;
  out: OutputStream;
  err: OutputStream;
  /** The exit code: 0 unless something else is said. */
  exitCode: number;
};

/** Puts a command into commander's hands. */
export const registerCommand = (command: Command, operator: OperatorCommand, terminal: Terminal): void => {
  command.description(operator.summary).option('--json', 'answer with one JSON object');
  operator.options?.(command);
  command.action(async () => {
    const { json = false, ...options } = command.opts<{ json?: boolean }>();
    const named = command.registeredArguments.map((argument, at) => [
      argument.name(),
      command.processedArgs[at],
    ]);
    const progress = makeProgress(terminal.err);
    const stage = { config: readConfig(terminal.env), json, progress };
    const answer = await operator
      .run(stage, { ...options, ...Object.fromEntries(named) })
      .finally(progress.end);
    const text = json ? [JSON.stringify(answer.json)] : answer.text;
    // Who reads the answer of a command that stays may end it at once: it must be listening for that by then.
    const staying = answer.longRunning?.();
    await writeOutput(terminal.out, text.map((line) => `${line}\n`).join(''));
    if (answer.failed) terminal.exitCode = 1;
    await staying;
  });
};

// The process may end right after this: wait until a pipe has taken it.
const writeOutput = (stream: OutputStream, text: string): Promise<void> =>
  new Promise((resolve, reject) => {
    stream.write(text, (error) => (error ? reject(error) : resolve()));
  });
