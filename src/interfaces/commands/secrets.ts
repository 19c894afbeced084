// The commands secrets list, secrets rotate and secrets retire. They print only ids and file names, never a secret.
import { Argument } from 'commander';
import {
  countApiKeysBySecret,
  countApplicationsByIdentitySecret,
  findOrganizations,
} from '../../domain/applications/store.ts';
import { byOperator } from '../../domain/audit/by.ts';
import { recordAudit } from '../../domain/audit/store.ts';
import { countOrganizationTokensBySecret } from '../../domain/members/organizationTokenStore.ts';
import { exportServingFiles } from '../../operations/secrets/files.ts';
import { type SecretName, secretNames } from '../../operations/secrets/names.ts';
import {
  type RenewCounts,
  type RenewDeps,
  renewSignatures,
  resealSandboxRows,
  resealWorkerRows,
} from '../../operations/secrets/renewRows.ts';
import {
  type Retired,
  type RotationDeps,
  retireSecret,
  rotateSecret,
  type SecretDependents,
  type SecretUse,
} from '../../operations/secrets/rotation.ts';
import { findVersions } from '../../operations/secrets/store.ts';
import type { DbTransaction } from '../../platform/db/open.ts';
import type { ServiceSecretRow } from '../../platform/db/tables.ts';
import { addMilliseconds, seconds } from '../../platform/values/clock.ts';
import { OperatorError } from '../../platform/values/errors.ts';
import type { Service } from '../../service.ts';
import { type CommandResult, defineCommand, formatTime, pluralize, table } from './command.ts';
import { defineServiceCommand, shutdownSignal, withService } from './service.ts';

/** The remaining use of an old version; undefined if there is none. */
const findUse = async (
  { clock, config }: Service,
  trx: DbTransaction,
  { name, keyId, changedAt }: ServiceSecretRow,
): Promise<SecretUse | undefined> => {
  if (name === 'api-keys') {
    const apiKeys = await countApiKeysBySecret(trx, keyId, clock.real());
    const organizationTokens = await countOrganizationTokensBySecret(trx, keyId, clock.real());
    if (apiKeys + organizationTokens === 0) return undefined;
    return { apiKeys, ...(organizationTokens > 0 && { organizationTokens }) };
  }
  if (name === 'identity') {
    const applications = await countApplicationsByIdentitySecret(trx, keyId);
    return applications > 0 ? { applications } : undefined;
  }
  if (name !== 'cursors') return undefined;
  const until = addMilliseconds(new Date(changedAt), seconds(config.limits.replacedCursorHours * 3600));
  return until > clock.real() ? { until: until.toISOString() } : undefined;
};

/** Re-encrypts or re-signs stored rows; undefined if no rows depend on the secret. */
const renewRows = async (
  { db, secrets }: Service,
  name: SecretName,
  deps: RenewDeps,
): Promise<RenewCounts | undefined> => {
  if (name === 'row-signing') return renewSignatures(deps, secrets.worker!.signing);
  if (name === 'sandbox') return resealSandboxRows(deps, secrets.sandbox);
  if (name !== 'worker') return undefined;
  // No copy that the old key opens may remain in SQLite's files.
  await db.markVacuumNeeded();
  return resealWorkerRows(deps, secrets.worker!.keys);
};

const renewedVerb = (name: SecretName): string => (name === 'row-signing' ? 're-signed' : 're-encrypted');

/** Re-encrypting or re-signing rows needs the private halves of these secrets. */
const needsWorkerSecrets = (name: SecretName): boolean => name === 'worker' || name === 'row-signing';

/** A command that rotates or retires one secret. */
const rotationCommand = (
  summary: string,
  run: (name: SecretName, deps: RotationDeps, dependents: SecretDependents) => Promise<CommandResult>,
) =>
  defineCommand({
    summary,
    options: (command) =>
      command.addArgument(new Argument('<name>', 'the name of the secret').choices(secretNames)),
    run: ({ config, progress }, { name }: { name: SecretName }) => {
      const runWith = async (service: Service): Promise<CommandResult> => {
        const { db, clock, secrets } = service;
        const { limits, secretsDir: directory } = config;
        const signal = shutdownSignal();
        const renewDeps: RenewDeps = {
          ...{ db, signal },
          chunkRows: limits.rotationChunkRows,
          onProgress: ({ renewed }) => progress.update(`${pluralize(renewed, 'row')} ${renewedVerb(name)}`),
        };
        const dependents: SecretDependents = {
          renew: () => renewRows(service, name, renewDeps),
          findUse: (trx, version) => findUse(service, trx, version),
        };
        const deps: RotationDeps = {
          ...{ db, clock, limits, directory, secrets, signal },
          onWait: progress.info,
          recordChange: (trx) => recordRotation(service, trx, name),
        };
        return run(name, deps, dependents).catch((error) => {
          if (!signal.aborted) throw error;
          throw new OperatorError('Interrupted. Nothing is lost: run the same command again to continue.');
        });
      };
      return withService(config, runWith, { worker: needsWorkerSecrets(name) });
    },
  });

/** All organizations share the secrets, so each of them gets the event. */
const recordRotation = async ({ clock }: Service, trx: DbTransaction, name: SecretName): Promise<void> => {
  const now = clock.real();
  for (const { id } of await findOrganizations(trx))
    await recordAudit(trx, byOperator(id, now), { action: 'secret_rotated', details: { name } });
};

const formatUse = (use: SecretUse): string => {
  if ('apiKeys' in use) {
    const { apiKeys, organizationTokens = 0 } = use;
    const tokens =
      organizationTokens > 0 ? ` and ${pluralize(organizationTokens, 'valid organization token')}` : '';
    return `${pluralize(apiKeys, 'valid API key')}${tokens}`;
  }
  if ('applications' in use)
    return `${pluralize(use.applications, 'application')} with an older identity secret`;
  return `page cursors until ${formatTime(use.until)}`;
};

const retiredText = (name: SecretName, { retired, kept, removedFiles }: Retired): string[] => [
  ...retired.map((keyId) => `The old version ${keyId} is retired.`),
  ...(removedFiles.length > 0
    ? [
        `Removed from SECRETS_DIR: ${removedFiles.join(', ')}. Remove them from SECRETS_DIR on all other machines as well.`,
      ]
    : []),
  ...kept.map(
    ({ keyId, use }) =>
      `The old version ${keyId} is still needed for ${formatUse(use)}. After that, run "secrets retire ${name}".`,
  ),
];

const rotate = rotationCommand(
  'replace a secret while the service is running; run it again to continue an interrupted rotation',
  async (name, deps, dependents) => {
    const { keyId, rows, ...retired } = await rotateSecret(deps, name, dependents);
    return {
      json: { name, keyId, ...(rows && { rows }), ...retired },
      text: [
        `The current version of ${name} is ${keyId}.`,
        ...(rows ? [`${pluralize(rows.renewed, 'row')} ${renewedVerb(name)}.`] : []),
        ...(rows?.invalid ? [`Left ${pluralize(rows.invalid, 'row')} unchanged: ${invalidHint}`] : []),
        ...retiredText(name, retired),
      ],
    };
  },
);

const invalidHint = 'they match no version of the secret, so something other than the service changed them.';

const retire = rotationCommand(
  'retire unused old versions of a rotated secret',
  async (name, deps, dependents) => {
    const retired = await retireSecret(deps, name, dependents);
    const text = retiredText(name, retired);
    return {
      json: { name, ...retired },
      text: text.length > 0 ? text : [`${name} has no old versions.`],
    };
  },
);

const list = defineServiceCommand({
  summary: 'list the versions of secrets and what still uses old versions',
  run: async (service) => {
    const secrets = await service.db.transaction(async (trx) => {
      const versions = [];
      for (const version of await findVersions(trx)) {
        const { name, keyId, state, createdAt, changedAt } = version;
        const use = state === 'retiring' ? await findUse(service, trx, version) : undefined;
        versions.push({ name, keyId, state, createdAt, changedAt, use });
      }
      return versions;
    });
    return {
      json: { secrets },
      text: table(
        ['SECRET', 'VERSION', 'STATE', 'SINCE', 'NEEDED FOR'],
        secrets.map(({ name, keyId, state, changedAt, use }) => {
          return [name, keyId, state, formatTime(changedAt), use && formatUse(use)];
        }),
      ),
    };
  },
});

const exportFiles = defineServiceCommand({
  summary: 'copy the secrets that "serve --no-worker" needs; creates all secrets on a new database',
  examples: ['secrets export /var/lib/bank-connection/serving-secrets'],
  options: (command) => command.argument('<directory>', 'the target directory; created if missing'),
  run: async ({ config }, { directory }: { directory: string }) => {
    const files = exportServingFiles(config.secretsDir, directory);
    return { json: { directory, files }, text: [`Copied to ${directory}: ${files.join(', ')}.`] };
  },
});

export const secretCommands = { list, export: exportFiles, rotate, retire };
