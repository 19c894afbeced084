// The operator's commands, all of them. Each stands in a file of its own.
import { Command, CommanderError } from 'commander';
import { OperatorError } from '../errors.ts';
import { advanceSandbox } from './advanceSandbox.ts';
import { attach, type Environment, type OperatorCommand, UsageError } from './command.ts';
import { createApplication } from './createApplication.ts';
import { createKey } from './createKey.ts';
import { createOrganization } from './createOrganization.ts';
import { inviteMember } from './inviteMember.ts';
import { listApplications } from './listApplications.ts';
import { listConnections } from './listConnections.ts';
import { listKeys } from './listKeys.ts';
import { listOrganizations } from './listOrganizations.ts';
import { loadSandbox } from './loadSandbox.ts';
import { migrate } from './migrate.ts';
import { refreshStatus } from './refreshStatus.ts';
import { resetMember } from './resetMember.ts';
import { revokeConnection } from './revokeConnection.ts';
import { revokeKey } from './revokeKey.ts';
import { runRefresh } from './runRefresh.ts';
import { serve } from './serve.ts';
import { setSandboxPassword } from './setSandboxPassword.ts';
import { showConnection } from './showConnection.ts';
import { sweepRetention } from './sweepRetention.ts';
import { work } from './work.ts';

const commands: Record<string, OperatorCommand> = {
  serve,
  work,
  migrate,
  'organizations create': createOrganization,
  'organizations list': listOrganizations,
  'applications create': createApplication,
  'applications list': listApplications,
  'keys create': createKey,
  'keys list': listKeys,
  'keys revoke': revokeKey,
  'connections list': listConnections,
  'connections show': showConnection,
  'connections revoke': revokeConnection,
  'members invite': inviteMember,
  'members reset-link': resetMember,
  'refresh run': runRefresh,
  'refresh status': refreshStatus,
  'retention sweep': sweepRetention,
  'sandbox load': loadSandbox,
  'sandbox set-password': setSandboxPassword,
  'sandbox advance': advanceSandbox,
};

/** What the first words of a command are about. */
const groups: Record<string, string> = {
  organizations: 'who uses the service',
  applications: 'what an organization connects its users with',
  keys: 'the API keys of an application',
  connections: 'what end users have linked',
  members: 'who may open the dashboard',
  refresh: 'keeping connections fresh',
  retention: 'deleting what is over',
  sandbox: 'the banks of Sandbox applications',
};

/** Runs the command of an argument list. Throws OperatorError where the operator can mend what is wrong. */
export const runCommand = async (argv: readonly string[], env: Environment): Promise<void> => {
  try {
    await makeProgram(env).parseAsync(argv);
  } catch (error) {
    if (error instanceof UsageError) process.exitCode = 2;
    // Commander has said what is wrong already, or shown the help that was asked for.
    if (error instanceof CommanderError) process.exitCode = error.exitCode === 0 ? 0 : 2;
    else throw isBusy(error) ? new OperatorError(busy) : error;
  }
};

const makeProgram = (env: Environment): Command => {
  const program = new Command('bank-connection')
    .description('Runs and looks after the Bank Connection Data Service. Settings come from the environment.')
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(text.replace(/^error: /, '')) })
    .showHelpAfterError('Add --help to see how it is used.');
  for (const [name, operator] of Object.entries(commands)) {
    const [first, second] = name.split(' ') as [string, string | undefined];
    if (!second) {
      attach(program.command(first), operator, env);
      continue;
    }
    const known = program.commands.find((group) => group.name() === first);
    const group = known ?? program.command(first).description(groups[first]!);
    attach(group.command(second), operator, env);
  }
  return program;
};

const busy = 'The database is busy: another process has been writing to it for a long time. Try again.';
const isBusy = (error: unknown): boolean => (error as { code?: unknown } | undefined)?.code === 'SQLITE_BUSY';
