// The commands sandbox load, sandbox set-password, sandbox advance and sandbox link.
import { type LinkSession, linkSandboxUser, SandboxLinkError } from '../../../client/sandboxLink.ts';
import { signUser } from '../../../client/signUser.ts';
import { builtInUsers, sandboxUsers } from '../../../connectors/sandbox/users.ts';
import type { Application } from '../../domain/applications/application.ts';
import { deriveIdentitySecret } from '../../domain/applications/identityVerification.ts';
import { byOperator } from '../../domain/audit/by.ts';
import { type AuditAction, recordAudit } from '../../domain/audit/store.ts';
import { makeDatabaseStorage } from '../../domain/institutions/sandbox/databaseStorage.ts';
import { loadFile } from '../../domain/institutions/sandbox/loadFile.ts';
import { advanceSandboxClock } from '../../domain/institutions/sandbox/sandboxClock.ts';
import { setPassword } from '../../domain/institutions/sandbox/setPassword.ts';
import { createLinkSession, reloadLinkSession } from '../../flows/link/createLinkSession.ts';
import type { OpenLinkSession } from '../../flows/link/linkSession.ts';
import {
  acknowledgeLinkSession,
  cancelLinkSession,
  toLinkSessionView,
  viewLinkSession,
} from '../../flows/link/linkSessionView.ts';
import { submitStep } from '../../flows/link/submitStep.ts';
import { startWorker, type Worker, type WorkerLog } from '../../flows/refresh/worker.ts';
import { days, seconds } from '../../platform/values/clock.ts';
import { Forbidden, OperatorError, UsageError, ValidationError } from '../../platform/values/errors.ts';
import type { Service } from '../../service.ts';
import { formatTime, integerOption, keyValueTable, pluralize, textOption } from './command.ts';
import { lookupApplication, lookupOrganization, organizationOption } from './lookup.ts';
import { defineServiceCommand, shutdownSignal } from './service.ts';

type OrganizationInput = { organization?: string };

const load = defineServiceCommand({
  summary: "load a file of logins, accounts and transactions into an organization's sandbox",
  examples: ['sandbox load logins.csv'],
  options: (command) =>
    command
      .argument('<file>', 'a .csv or .csv.gz file')
      .option(...organizationOption)
      .addHelpText(
        'after',
        '\nThe first line names the columns: login, account, date, transaction, amount, balance, description,\n' +
          'reference and optionally currency. A file is loaded completely or not at all.',
      ),
  run: async (service, { file, organization }: { file: string } & OrganizationInput, { progress }) => {
    const { db, clock, secrets, config } = service;
    const { id: organizationId } = await lookupOrganization(service, organization);
    const result = await loadFile(db, secrets.sandbox, {
      organizationId,
      path: file,
      limits: config.limits,
      now: clock.real(),
      onProgress: ({ rows, bytes, bytesTotal }) =>
        progress.update(`${pluralize(rows, 'row')}, ${Math.floor((100 * bytes) / bytesTotal)}%`),
    });
    const { rows, logins, accounts } = result;
    const details = { rows: String(rows), logins: String(logins) };
    await recordSandboxChange(service, organizationId, 'sandbox_file_loaded', details);
    const counts = `${pluralize(logins, 'login')}, ${pluralize(accounts, 'account')}`;
    return { json: result, text: [`Loaded ${pluralize(rows, 'row')}: ${counts}.`] };
  },
});

type PasswordInput = OrganizationInput & { login: string; password: string };

const setLoginPassword = defineServiceCommand({
  summary: 'set the only password that a sandbox login accepts',
  options: (command) =>
    command
      .argument('<login>', 'a built-in or loaded sandbox login')
      .argument('<password>', 'the new password')
      .option(...organizationOption),
  run: async (service, { login, password, organization }: PasswordInput) => {
    const { db, secrets } = service;
    const { id: organizationId } = await lookupOrganization(service, organization);
    await setPassword(makeDatabaseStorage(db, secrets.sandbox, organizationId), login, password);
    await recordSandboxChange(service, organizationId, 'sandbox_password_changed');
    return { json: { login }, text: [`Changed the password of ${login}.`] };
  },
});

const offsetOption = integerOption(0, 10_000);

const advance = defineServiceCommand({
  summary: "advance the clock of an organization's Sandbox applications; it cannot go back",
  options: (command) =>
    command
      .option(...organizationOption)
      .option('--days <days>', 'days to advance', offsetOption, 0)
      .option('--hours <hours>', 'hours to advance', offsetOption, 0),
  run: async (service, input: { days: number; hours: number } & OrganizationInput) => {
    const { db, clock } = service;
    const { id: organizationId } = await lookupOrganization(service, input.organization);
    const milliseconds = days(input.days) + seconds(input.hours * 3600);
    const now = clock.real();
    const offset = await advanceSandboxClock(db, { organizationId, milliseconds, now });
    const details = { seconds: String(milliseconds / 1000) };
    await recordSandboxChange(service, organizationId, 'sandbox_clock_advanced', details);
    const sandboxNow = new Date(now.getTime() + offset).toISOString();
    const ahead = `${Math.floor(offset / days(1))} days ${Math.round((offset % days(1)) / 3_600_000)} hours`;
    return {
      json: { advancedSeconds: milliseconds / 1000, aheadSeconds: offset / 1000, now: sandboxNow },
      text: keyValueTable([
        ['Sandbox time', formatTime(sandboxNow)],
        ['Offset', ahead],
      ]),
    };
  },
});

const recordSandboxChange = (
  { db, clock }: Service,
  organizationId: string,
  action: AuditAction,
  details?: Record<string, string>,
): Promise<void> => recordAudit(db.write, byOperator(organizationId, clock.real()), { action, details });

type LinkInput = {
  application: string;
  user: string;
  password: string;
  institution: string;
  externalUser?: string;
  connection?: string;
};

// Takes the steps of the widget's page. This process also runs the import, unless a worker is faster.
const link = defineServiceCommand({
  summary:
    'connect a sandbox user without a browser and print the result of onSuccess, including the scoped token',
  examples: ['sandbox link --application app_… --user otp --external-user user-42'],
  options: (command) =>
    command
      .requiredOption('--application <application>', 'a Sandbox application (app_…)')
      .requiredOption('--user <username>', 'a built-in or loaded sandbox login')
      .option('--password <password>', 'its password', 'password')
      .option('--institution <institution>', 'the sandbox institution', 'sandbox-bank')
      .option(
        '--external-user <id>',
        'your own id for the end user; without it, the user is anonymous',
        textOption(255),
      )
      .option('--connection <connection>', 'reconnect this connection (con_…) instead of creating one'),
  worker: true,
  run: async (service, input: LinkInput) => {
    const application = await lookupApplication(service, input.application);
    if (application.environment !== 'sandbox') {
      throw new OperatorError(`${application.id} is not a Sandbox application.`);
    }
    const session = await openSession(service, application, input);
    const user = { user: input.user, password: input.password, institutionId: input.institution };
    try {
      const result = await linkSandboxUser(session, user, shutdownSignal());
      return {
        json: result,
        text: keyValueTable([
          ['Connection', result.connectionId],
          ['Institution', result.institution.name],
          ...result.accounts.map(({ id, name }) => ['Account', `${id} (${name})`] as const),
          ['Scoped token', result.scopedToken],
        ]),
      };
    } catch (error) {
      if (error instanceof SandboxLinkError) throw toOperatorError(error, input);
      // Any password is valid, so the invalid value is the institution.
      if (error instanceof ValidationError)
        throw new OperatorError(`There is no sandbox institution ${input.institution}.`);
      throw error;
    } finally {
      await session.stop();
    }
  },
});

/** The institution may also reject a loaded login, but loaded logins cannot be listed. */
const toOperatorError = ({ reason, message }: SandboxLinkError, { user }: LinkInput): OperatorError =>
  reason === 'wrong_credentials' && !sandboxUsers.has(user)
    ? new UsageError(`There is no sandbox user "${user}" with this password. ${builtInUsers}`)
    : new OperatorError(message);

/** Replaces a client's address in rate limits. */
const ipKey = 'sandbox link';

const openSession = async (
  { linking, db, clock, config, jobHandlers, log }: Service,
  application: Application,
  { externalUser: externalUserId, connection: connectionId }: LinkInput,
): Promise<LinkSession & { stop(): Promise<void> }> => {
  const [origin = application.nativeAllowedAt === null ? undefined : 'native'] = application.origins;
  if (origin === undefined) throw new OperatorError(`${application.id} has no origins: add one first.`);
  const secret = deriveIdentitySecret(linking.identityServiceSecrets, application);
  const isNamed = externalUserId !== undefined || connectionId !== undefined;
  const userSignature =
    secret !== undefined && isNamed
      ? signUser(secret, { externalUserId, connectionId, at: clock.real() })
      : undefined;
  const request = { applicationId: application.id, origin, externalUserId, connectionId, userSignature };
  let { session } = await createLinkSession(linking, request).catch((error) => {
    if (!(error instanceof Forbidden)) throw error;
    throw new OperatorError(`This application and user have no connection ${connectionId} to reconnect.`);
  });
  let worker: Worker | undefined;
  const view = async () => {
    session = await reloadLinkSession(linking, session);
    if (session.row.state === 'importing') worker ??= startImport(session);
    return viewLinkSession(linking, session);
  };
  const startImport = ({ row }: OpenLinkSession): Worker => {
    const failed = (err: unknown): void => log.error({ err }, 'import failed');
    const workerLog: WorkerLog = {
      done: () => {},
      failed: (_, err) => failed(err),
      dropped: () => {},
      queueFailed: failed,
    };
    const deps = { db, clock, registry: linking.registry, limits: config.limits, log: workerLog };
    return startWorker(deps, jobHandlers!, { connectionId: row.connectionId! });
  };
  return {
    view: await toLinkSessionView(linking, session),
    read: view,
    submit: async (version, step) => {
      await submitStep(linking, session, { version, step, ipKey });
      return view();
    },
    // The view may be newer than its session.
    acknowledge: async () => acknowledgeLinkSession(linking, await reloadLinkSession(linking, session)),
    cancel: async () => cancelLinkSession(linking, await reloadLinkSession(linking, session)),
    stop: async () => worker?.stop(),
  };
};

export const sandboxCommands = { load, 'set-password': setLoginPassword, advance, link };
