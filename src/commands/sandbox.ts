// The commands sandbox load, sandbox set-password and sandbox advance.
import { findOrganizations } from '../applications/store.ts';
import { type AuditAction, operatorActor, recordAuditEvent } from '../audit/store.ts';
import { days } from '../clock.ts';
import { setPassword } from '../connectors/sandbox/setPassword.ts';
import { makeDatabaseStorage } from '../connectors/sandbox/storage/databaseStorage.ts';
import { loadFile } from '../connectors/sandbox/storage/loadFile.ts';
import { advanceSandboxClock } from '../connectors/sandbox/storage/sandboxClock.ts';
import type { Service } from '../service.ts';
import { defineCommand, integerOption } from './command.ts';
import { formatTime, keyValueTable, pluralize } from './format.ts';
import { withService } from './withService.ts';

const load = defineCommand({
  summary: 'load a file of logins with accounts and transactions into the sandbox',
  options: (command) =>
    command
      .argument('<file>', 'a .csv or .csv.gz file')
      .addHelpText(
        'after',
        '\nThe first line names the columns: login, account, date, transaction, amount, balance, description,\n' +
          'reference and optionally currency. A file is loaded completely or not at all.',
      ),
  run: ({ config, progress }, { file }: { file: string }) =>
    withService(config, async (service) => {
      const { db, clock, secrets } = service;
      const result = await loadFile(db, secrets.sandbox, {
        path: file,
        limits: config.limits,
        now: clock.real(),
        onProgress: ({ rows, bytes, bytesTotal }) =>
          progress.update(`${pluralize(rows, 'row')}, ${Math.floor((100 * bytes) / bytesTotal)} %`),
      });
      const { rows, logins, accounts } = result;
      await recordSandboxChange(service, 'sandbox_file_loaded', {
        rows: String(rows),
        logins: String(logins),
      });
      const counts = `${pluralize(logins, 'login')}, ${pluralize(accounts, 'account')}`;
      return { json: result, text: [`Loaded ${pluralize(rows, 'row')}: ${counts}.`] };
    }),
});

const setLoginPassword = defineCommand({
  summary: 'set the only password that the sandbox accepts for a login from now on',
  options: (command) =>
    command
      .argument('<login>', 'a built-in or a loaded login of the sandbox')
      .argument('<password>', 'the new password'),
  run: ({ config }, { login, password }: { login: string; password: string }) =>
    withService(config, async (service) => {
      await setPassword(makeDatabaseStorage(service.db, service.secrets.sandbox), login, password);
      await recordSandboxChange(service, 'sandbox_password_changed');
      return { json: { login }, text: [`The password of ${login} is changed.`] };
    }),
});

const offsetOption = integerOption(0, 10_000);

const advance = defineCommand({
  summary: 'advance the clock of all Sandbox applications; it cannot go back',
  options: (command) =>
    command
      .option('--days <days>', 'by how many days', offsetOption, 0)
      .option('--hours <hours>', 'and by how many hours', offsetOption, 0),
  run: ({ config }, input: { days: number; hours: number }) =>
    withService(config, async (service) => {
      const { db, clock } = service;
      const milliseconds = days(input.days + input.hours / 24);
      const now = clock.real();
      const offset = await advanceSandboxClock(db, { milliseconds, now });
      const details = { seconds: String(milliseconds / 1000) };
      await recordSandboxChange(service, 'sandbox_clock_advanced', details);
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

/** All organizations share the sandbox, so each of them gets the event. */
const recordSandboxChange = (
  { db, clock }: Pick<Service, 'db' | 'clock'>,
  action: AuditAction,
  details?: Record<string, string>,
): Promise<void> =>
  db.transaction(async (trx) => {
    for (const { id: organizationId } of await findOrganizations(trx)) {
      const event = { organizationId, now: clock.real(), actor: operatorActor, action, details };
      await recordAuditEvent(trx, event);
    }
  });

export const sandboxCommands = { load, 'set-password': setLoginPassword, advance };
