// The commands backup, verify and restore. They work without the secrets, which are backed up separately.
import { createBackup, restoreBackup, type Verified, verifyBackup } from '../../operations/backup/backup.ts';
import { OperatorError } from '../../platform/values/errors.ts';
import { defineCommand, pluralize } from './command.ts';
import { formatCounts, sweepNow } from './retention.ts';
import { makeDataDirectory, shutdownSignal } from './service.ts';

const formatMegabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

type FileInput = { file: string };

const backup = defineCommand({
  summary: 'back up the database, even while the service is running; excludes the secrets',
  examples: ['backup bank.backup'],
  options: (command) => command.argument('<file>', 'a new file'),
  run: async ({ config, env, progress }, { file }: FileInput) => {
    const signal = shutdownSignal();
    const onProgress = (bytes: number) => progress.update(`${formatMegabytes(bytes)} written`);
    const written = await createBackup({ ...config, env }, file, { signal, onProgress }).catch((error) => {
      if (!signal.aborted) throw error;
      throw new OperatorError('Interrupted: no backup was written.');
    });
    return {
      json: { file, ...written },
      text: [
        `Wrote ${formatMegabytes(written.bytes)} to ${file} and its checksum to ${file}.sha256.`,
        `Back up ${config.secretsDir} in a different location: together, the two can decrypt the stored bank credentials.`,
      ],
    };
  },
});

const rowsText = ({ rows }: Verified): string =>
  `${pluralize(rows.organizations, 'organization')}, ${pluralize(rows.applications, 'application')}, ` +
  `${pluralize(rows.end_users, 'end user')}, ${pluralize(rows.connections, 'connection')}`;

const verify = defineCommand({
  summary: 'check a backup: its checksum, its version and whether the secrets match',
  options: (command) => command.argument('<file>', 'a backup'),
  run: async ({ config, env }, { file }: FileInput) => {
    const verified = await verifyBackup({ ...config, env }, file);
    const { secretProblems, hasChecksum, schemaVersion } = verified;
    return {
      json: { file, ...verified },
      text: [
        `${file} has schema version ${schemaVersion}: ${rowsText(verified)}.`,
        hasChecksum ? 'Checksum OK.' : `${file}.sha256 is missing, so corruption may go undetected.`,
        ...secretProblems,
        ...(secretProblems.length === 0 ? [`The secrets in ${config.secretsDir} match the backup.`] : []),
      ],
      failed: secretProblems.length > 0,
    };
  },
});

const restore = defineCommand({
  summary: 'restore a backup, then purge expired data',
  examples: ['restore bank.backup'],
  options: (command) => command.argument('<file>', 'a backup'),
  run: async ({ config, env, progress }, { file }: FileInput) => {
    makeDataDirectory(config);
    const verified = await restoreBackup({ ...config, env }, file);
    const { secretProblems } = verified;
    // The backup may contain data that has expired since.
    const deleted = secretProblems.length === 0 ? await sweepNow({ config, progress }) : undefined;
    return {
      json: { file, ...verified, deleted: deleted ?? null },
      text: [
        `Restored ${rowsText(verified)}.`,
        ...secretProblems,
        deleted
          ? `${formatCounts(deleted)}.`
          : 'Restore the secrets before you start the service. Then run "retention sweep".',
        'Repeat every revocation since the backup: see docs/operating/back-up.md.',
      ],
      failed: secretProblems.length > 0,
    };
  },
});

export const backupCommands = { backup, verify, restore };
