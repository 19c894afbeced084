// The commands sandbox load, sandbox set-password, sandbox advance and sandbox link.
import { type AuditAction, operatorActor, recordAuditEvent } from '../audit/store.ts';
import { days } from '../clock.ts';
import { makeDatabaseStorage } from '../institutions/sandbox/databaseStorage.ts';
import { loadFile } from '../institutions/sandbox/loadFile.ts';
import { advanceSandboxClock } from '../institutions/sandbox/sandboxClock.ts';
import { setPassword } from '../institutions/sandbox/setPassword.ts';
import type { Service } from '../service.ts';
import { defineCommand, integerOption } from './command.ts';
import { formatTime, keyValueTable, pluralize } from './format.ts';
import { lookupOrganization, organizationOption } from './lookup.ts';
import { link } from './sandboxLink.ts';
import { withService } from './withService.ts';

type OrganizationInput = { organization?: string };

const load = defineCommand({
  summary: "load a file of logins with accounts and transactions into an organization's sandbox",
  options: (command) =>
    command
      .argument('<file>', 'a .csv or .csv.gz file')
      .option(...organizationOption)
      .addHelpText(
        'after',
        '\nThe first line names the columns: login, account, date, transaction, amount, balance, description,\n' +
          'reference and optionally currency. A file is loaded completely or not at all.',
      ),
  run: ({ config, progress }, { file, organization }: { file: string } & OrganizationInput) =>
    withService(config, async (service) => {
      const { db, clock, secrets } = service;
      const { id: organizationId } = await lookupOrganization(service, organization);
      const result = await loadFile(db, secrets.sandbox, {
        organizationId,
        path: file,
        limits: config.limits,
        now: clock.real(),
        onProgress: ({ rows, bytes, bytesTotal }) =>
          progress.update(`${pluralize(rows, 'row')}, ${Math.floor((100 * bytes) / bytesTotal)} %`),
      });
      const { rows, logins, accounts } = result;
      await recordSandboxChange(service, organizationId, 'sandbox_file_loaded', {
        rows: String(rows),
        logins: String(logins),
      });
      const counts = `${pluralize(logins, 'login')}, ${pluralize(accounts, 'account')}`;
      return { json: result, text: [`Loaded ${pluralize(rows, 'row')}: ${counts}.`] };
    }),
});

const setLoginPassword = defineCommand({
  summary: "set the password of a login in an organization's sandbox; no other password works then",
  options: (command) =>
    command
      .argument('<login>', 'a built-in or a loaded login of the sandbox')
      .argument('<password>', 'the new password')
      .option(...organizationOption),
  run: (
    { config },
    { login, password, organization }: { login: string; password: string } & OrganizationInput,
  ) =>
    withService(config, async (service) => {
      const { db, secrets } = service;
      const { id: organizationId } = await lookupOrganization(service, organization);
      await setPassword(makeDatabaseStorage(db, secrets.sandbox, organizationId), login, password);
      await recordSandboxChange(service, organizationId, 'sandbox_password_changed');
      return { json: { login }, text: [`Changed the password of ${login}.`] };
    }),
});

const offsetOption = integerOption(0, 10_000);

const advance = defineCommand({
  summary: "advance the clock of an organization's Sandbox applications; it cannot go back",
  options: (command) =>
    command
      .option(...organizationOption)
      .option('--days <days>', 'by how many days', offsetOption, 0)
      .option('--hours <hours>', 'and by how many hours', offsetOption, 0),
  run: ({ config }, input: { days: number; hours: number } & OrganizationInput) =>
    withService(config, async (service) => {
      const { db, clock } = service;
      const { id: organizationId } = await lookupOrganization(service, input.organization);
      const milliseconds = days(input.days + input.hours / 24);
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
          ['Ahead by', ahead],
        ]),
      };
    }),
});

const recordSandboxChange = (
  { db, clock }: Pick<Service, 'db' | 'clock'>,
  organizationId: string,
  action: AuditAction,
  details?: Record<string, string>,
): Promise<void> =>
  recordAuditEvent(db.write, { organizationId, now: clock.real(), actor: operatorActor, action, details });

export const sandboxCommands = { load, 'set-password': setLoginPassword, advance, link };
