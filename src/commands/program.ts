// The operator's commands, all of them. Each stands in a file of its own.
import { Command, CommanderError } from 'commander';
import { OperatorError } from '../errors.ts';
import { advanceSandbox } from './advanceSandbox.ts';
import { registerCommand, type OperatorCommand, type Terminal, UsageError } from './command.ts';
import { createApplication } from './createApplication.ts';
import { createKey } from './createApiKey.ts';
import { createOrganization } from './createOrganization.ts';
import { inviteMember } from './inviteMember.ts';
import { listApplications } from './listApplications.ts';
import { listConnections } from './listConnections.ts';
import { listApiKeys } from './listApiKeys.ts';
import { listOrganizations } from './listOrganizations.ts';
import { loadSandbox } from './loadSandbox.ts';
import { migrate } from './migrate.ts';
import { refreshStatus } from './refreshStatus.ts';
import { createResetLink } from './createResetLink.ts';
import { revokeConnection } from './revokeConnection.ts';
import { revokeKey } from './revokeApiKey.ts';
import { runRefresh } from './runRefresh.ts';
import { serve } from './serve.ts';
import { setSandboxPassword } from './setSandboxPassword.ts';
import { showConnection } from './showConnection.ts';
import { sweepRetention } from './sweepRetention.ts';
import { workerCommand } from './worker.ts';

const commands: Record<string, OperatorCommand> = {
  serve,
  worker: workerCommand,
  migrate,
  'organizations create': createOrganization,
  'organizations list': listOrganizations,
  'applications create': createApplication,
  'applications list': listApplications,
  'api-keys create': createKey,
  'api-keys list': listApiKeys,
  'api-keys revoke': revokeKey,
  'connections list': listConnections,
  'connections show': showConnection,
  'connections revoke': revokeConnection,
  'members invite': inviteMember,
  'members create-reset-link': createResetLink,
  'refresh run': runRefresh,
  'refresh status': refreshStatus,
  'retention sweep': sweepRetention,
  'sandbox load': loadSandbox,
  'sandbox set-password': setSandboxPassword,
  'sandbox advance': advanceSandbox,
};

/** What the first words of a command are about. */
const groupDescriptions: Record<string, string> = {
  organizations: 'who uses the service',
  applications: 'what an organization connects its users with',
  'api-keys': 'the API keys of an application',
  connections: 'what end users have linked',
  members: 'who may open the dashboard',
  refresh: 'keeping connections fresh',
  retention: 'deleting what is over',
  sandbox: 'the banks of Sandbox applications',
};

/** Runs the command of an argument list, says in one sentence what was wrong with it, and sets the exit code. */
export const runCommand = async (argv: readonly string[], terminal: Terminal): Promise<void> => {
  try {
    await makeProgram(terminal).parseAsync(argv);
  } catch (error) {
    terminal.exitCode = exitCodeOf(error);
    const said = messageOf(error);
    if (said) terminal.err.write(`${said}\n`);
  }
};

const makeProgram = (terminal: Terminal): Command => {
  const program = new Command('bank-connection')
    .description('Runs and looks after the Bank Connection Data Service. Settings come from the environment.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => terminal.out.write(text),
      writeErr: (text) => terminal.err.write(text),
      outputError: (text, write) => write(text.replace(/^error: /, '')),
    })
    .showHelpAfterError('Add --help to see how it is used.');
  for (const [name, operator] of Object.entries(commands)) {
    const [first, second] = name.split(' ') as [string, string | undefined];
    if (!second) {
      registerCommand(program.command(first), operator, terminal);
      continue;
    }
    const known = program.commands.find((group) => group.name() === first);
    const group = known ?? program.command(first).description(groupDescriptions[first]!);
    registerCommand(group.command(second), operator, terminal);
  }
  return program;
};

// 2 is for what was typed, 1 for what could not be done.
const exitCodeOf = (error: unknown): number => {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  return error instanceof UsageError ? 2 : 1;
};

const messageOf = (error: unknown): string | undefined => {
  // Commander has said what is wrong already, or shown the help that was asked for.
  if (error instanceof CommanderError) return undefined;
  if (error instanceof OperatorError) return error.message;
  if ((error as { code?: unknown } | undefined)?.code === 'SQLITE_BUSY') return databaseBusyMessage;
  return error instanceof Error ? describeUnexpected(error) : String(error);
};

// Knex puts the question with all its values before what the database said: those are nobody's to read.
const describeUnexpected = ({ name, message, stack = '' }: Error): string => {
  const said = message.slice(message.lastIndexOf(' - ') + 1).replace(/^- /, '');
  const places = stack.split('\n').filter((line) => line.startsWith('    at '));
  return [`${name}: ${said}`, ...places].join('\n');
};

const databaseBusyMessage =
  'The database is busy: another process has been writing to it for a long time. Try again.';
