// The command line program: all commands, their help, and the exit codes.
import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import type { Tunables } from '../../platform/settings/tunables.ts';
import { Conflict, DatabaseUnavailable, OperatorError, UsageError } from '../../platform/values/errors.ts';
import { apiKeyCommands, applicationCommands, organizationCommands } from './applications.ts';
import { backupCommands } from './backup.ts';
import { type OperatorCommand, registerCommand, type Terminal } from './command.ts';
import { configCommands } from './config.ts';
import { connectionCommands } from './connections.ts';
import { connectorsCommand } from './connectors.ts';
import { memberCommands } from './members.ts';
import { migrateCommand } from './migrate.ts';
import { refreshCommands } from './refresh.ts';
import { retentionCommands } from './retention.ts';
import { sandboxCommands } from './sandbox.ts';
import { secretCommands } from './secrets.ts';
import { serveCommand } from './serve.ts';
import { workerCommand } from './service.ts';
import { simplefinCommands } from './simplefin.ts';
import { webhookCommands } from './webhooks.ts';

type Commands = Record<string, OperatorCommand>;

const commands: Commands = {
  serve: serveCommand,
  worker: workerCommand,
  migrate: migrateCommand,
  ...backupCommands,
  connectors: connectorsCommand,
};

const groups: Record<string, { description: string; commands: Commands }> = {
  organizations: { description: 'manage organizations', commands: organizationCommands },
  applications: { description: 'manage applications', commands: applicationCommands },
  'api-keys': { description: 'manage API keys', commands: apiKeyCommands },
  connections: { description: 'list, show and revoke connections', commands: connectionCommands },
  members: { description: 'invite members and reset their passwords', commands: memberCommands },
  refresh: { description: 'run refreshes and show their status', commands: refreshCommands },
  retention: { description: 'delete expired data', commands: retentionCommands },
  config: { description: 'show the settings', commands: configCommands },
  secrets: { description: 'list, rotate, retire and export secrets', commands: secretCommands },
  webhooks: {
    description: 'manage and test webhook endpoints',
    commands: webhookCommands,
  },
  simplefin: { description: 'manage SimpleFIN access for other apps', commands: simplefinCommands },
  sandbox: { description: "control an organization's sandbox", commands: sandboxCommands },
};

const { version }: { version: string } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
);

/** Runs the command in `argv`, prints an error as one sentence, and sets the exit code. Only tests replace tunables. */
export const runCommand = async (
  argv: readonly string[],
  terminal: Terminal,
  { tunables = {} }: { tunables?: Partial<Tunables> } = {},
): Promise<void> => {
  try {
    await makeProgram(terminal, tunables).parseAsync(argv);
  } catch (error) {
    terminal.exitCode = exitCodeOf(error);
    const message = messageOf(error);
    if (message) terminal.err.write(`${message}\n`);
  }
};

const makeProgram = (terminal: Terminal, tunables: Partial<Tunables>): Command => {
  const program = new Command('bank-connection')
    .description('Run and manage the Bank Connection Data Service. Configure it with environment variables.')
    .version(version, '--version', 'print the version')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.err.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, '')),
    })
    .showHelpAfterError('See --help.');
  const registerAll = (parent: Command, children: Commands): void => {
    for (const [name, command] of Object.entries(children))
      registerCommand(parent.command(name), command, terminal, tunables);
  };
  registerAll(program, commands);
  for (const [name, group] of Object.entries(groups)) {
    registerAll(program.command(name).description(group.description), group.commands);
  }
  return program;
};

// 2 for wrong usage, 1 for a failure.
const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  return error instanceof UsageError ? 2 : 1;
};

const messageOf = (error: unknown): string | undefined => {
  // Commander has printed the error or the help.
  if (error instanceof CommanderError) return undefined;
  if (error instanceof OperatorError) return error.message;
  // A message means that the conflict concerns the operator's request.
  if (error instanceof Conflict && error.message) return error.message;
  if ((error as { code?: unknown } | undefined)?.code === 'SQLITE_BUSY')
    return 'The database is busy: another process has been writing to it for a long time. Try again.';
  if (error instanceof DatabaseUnavailable) return `The database cannot be used: ${error.message}.`;
  if (isFromOutside(error)) return `${error.message} (${error.code}).`;
  return error instanceof Error ? error.stack : String(error);
};

/** True for errors of the system, SQLite or PostgreSQL. Their stacks do not help an operator. */
const isFromOutside = (error: unknown): error is Error & { code: string } =>
  error instanceof Error &&
  'code' in error &&
  typeof error.code === 'string' &&
  ('syscall' in error || 'severity' in error || error.code.startsWith('SQLITE_'));
