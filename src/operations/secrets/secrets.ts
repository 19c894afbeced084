// The service's secrets. A process loads them when it starts and follows the table of their versions while it runs, so that a
// rotation needs no restart. It reports the versions that it has and uses in its own row (rotation.ts).
import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { deriveSandboxKeys, type SandboxKeyset } from '../../domain/institutions/sandbox/rowEncryption.ts';
import { schemaVersion } from '../../platform/db/migrations/migrations.ts';
import type { Database, DbTransaction, Queries } from '../../platform/db/open.ts';
import type { ProcessRow, ServiceSecretRow } from '../../platform/db/tables.ts';
import { startLoop } from '../../platform/loops/loop.ts';
import { type Limits, processExpiry } from '../../platform/settings/limits.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { type Clock, seconds } from '../../platform/values/clock.ts';
import { OperatorError } from '../../platform/values/errors.ts';
import { toBase62 } from '../../platform/values/ids.ts';
import { deriveKeyPair, type KeyPair, type PublicKey } from '../../platform/vault/keys.ts';
import { type ChangeableKeyset, deriveKeyset, type Keyset, makeKeyset } from '../../platform/vault/keyset.ts';
import { deriveSigningKeys, type SigningKeys } from '../../platform/vault/sign.ts';
import { createFirstFiles, fileNameOf, readPublicFile, readSecretFile } from './files.ts';
import { type SecretName, secretNames } from './names.ts';
import * as store from './store.ts';

/** The secrets of a process. Only workers have the worker's and the signing private keys. */
export type Secrets = {
  /** Sign and verify API keys (Ed25519 seeds). */
  apiKeys: Keyset<Buffer>;
  /** The identity secrets of applications are derived from them. */
  identity: Keyset<Buffer>;
  /** Authenticate page cursors. */
  cursors: Keyset<Buffer>;
  /** Seal the sandbox bank's data. */
  sandbox: SandboxKeyset;
  /** Seal import requests and bank credentials to the worker. */
  workerPublicKeys: Keyset<PublicKey>;
  /** Verify the worker's signatures. */
  signingPublicKeys: Keyset<PublicKey>;
  worker?: { keys: Keyset<KeyPair>; signing: Keyset<SigningKeys> };
  /** Follows the table now instead of at the next poll, and reports the result. */
  reload(): Promise<void>;
  /** Stops following, and removes this process from the list. */
  stop(): Promise<void>;
};

export type ProcessKind = ProcessRow['kind'];

/** The reported kind of a process. One without loops is a command. */
export const processKind = (process: {
  withoutLoops?: boolean;
  serves?: boolean;
  worker: boolean;
}): ProcessKind => {
  if (process.withoutLoops) return 'command';
  if (process.serves === false) return 'worker';
  return process.worker ? 'serve' : 'serve --no-worker';
};

export type SecretsOptions = {
  directory: string;
  /** Without the worker's secrets only public halves are read; the others may be missing. */
  worker: boolean;
  kind: ProcessKind;
  clock: Clock;
  limits: Limits;
  log: Log;
};

/**
 * Reads the secrets of `directory`, or creates them if the database is new, and follows their rotation until stopped. Throws
 * OperatorError if a file is missing, except for a version that is only announced, or if a secret has no current version.
 */
export const openSecrets = async (db: Database, options: SecretsOptions): Promise<Secrets> => {
  const { directory } = options;
  const followers: Follower<unknown>[] = [];
  const follow = <Key>(name: SecretName, read: (version: ServiceSecretRow) => Key): Keyset<Key> => {
    const follower = makeFollower(name, read);
    followers.push(follower);
    return follower.keyset;
  };
  const secret = (version: ServiceSecretRow): Buffer => readSecretFile(directory, version);
  const publicKey = (version: ServiceSecretRow): PublicKey => ({
    publicKey: readPublicFile(directory, version),
  });
  const worker = options.worker && {
    keys: follow('worker', (version) => deriveKeyPair(secret(version))),
    signing: follow('row-signing', (version) => deriveSigningKeys(secret(version))),
  };
  const keysets = {
    apiKeys: follow('api-keys', secret),
    identity: follow('identity', secret),
    cursors: follow('cursors', secret),
    sandbox: follow('sandbox', (version) => deriveSandboxKeys(secret(version))),
    workerPublicKeys: worker ? deriveKeyset(worker.keys, publicHalf) : follow('worker', publicKey),
    signingPublicKeys: worker ? deriveKeyset(worker.signing, publicHalf) : follow('row-signing', publicKey),
  };
  return { ...keysets, ...(await followTable(db, followers, options)), worker: worker || undefined };
};

// The request-handling parts of a process get no private key, even if the same process has the worker.
const publicHalf = ({ publicKey }: PublicKey): PublicKey => ({ publicKey });

const followTable = async (
  db: Database,
  followers: readonly Follower<unknown>[],
  { directory, kind, clock, limits, log }: SecretsOptions,
): Promise<Pick<Secrets, 'reload' | 'stop'>> => {
  const started = clock.real().toISOString();
  const process = { id: toBase62(randomBytes(16)), kind, host: hostname(), startedAt: started };
  let reported: ProcessRow | undefined;
  const report = async (queries: Queries): Promise<void> => {
    const now = clock.real();
    const row: ProcessRow = {
      ...process,
      seenAt: now.toISOString(),
      loadedKeyIds: JSON.stringify(followers.flatMap(({ keyset }) => keyset.versions().map(({ id }) => id))),
      usedKeyIds: JSON.stringify(followers.flatMap(({ keyset }) => keyset.idsInUse())),
      schemaVersion,
    };
    const isNew = row.loadedKeyIds !== reported?.loadedKeyIds || row.usedKeyIds !== reported.usedKeyIds;
    const isDue = now.getTime() - Date.parse(reported?.seenAt ?? '') >= seconds(limits.processReportSeconds);
    if (!isNew && !isDue) return;
    await store.saveProcess(queries, row);
    reported = row;
  };

  const logged = new Set<string>();
  const update = (versions: readonly ServiceSecretRow[], isFatal: (version: ServiceSecretRow) => boolean) => {
    for (const { version, error } of followers.flatMap((follower) => follower.update(versions))) {
      if (isFatal(version)) throw error;
      if (!logged.has(version.keyId)) log.error({ file: fileNameOf(version) }, 'secret not loaded');
      logged.add(version.keyId);
    }
  };
  const reload = async (): Promise<void> => {
    update(await store.findVersions(db.read), () => false);
    await report(db.write);
  };

  await db.transaction(async (trx) => {
    await store.lockSecrets(trx, db.dialect);
    const versions = await store.findVersions(trx);
    if (versions.length === 0) versions.push(...(await createSecrets(trx, directory, clock.real())));
    update(versions, ({ state }) => state !== 'announced');
    const missing = followers.find(({ keyset }) => keyset.versions().length === 0);
    if (missing) {
      throw new OperatorError(
        `The table service_secrets has no current version of ${missing.name}, so it was changed. Restore the database from a backup.`,
      );
    }
    await store.deleteEndedProcesses(trx, processExpiry(clock.real(), limits));
    await report(trx);
  });
  const loop = startLoop(
    () => limits.secretsPollMs,
    () => reload().catch((err) => log.warn({ err }, 'secrets not read')),
  );
  return {
    reload,
    stop: async () => {
      await loop.stop();
      // Without the database the row stays, and is ignored once it has expired.
      await store.deleteProcess(db.write, process.id).catch(() => {});
    },
  };
};

const createSecrets = async (
  trx: DbTransaction,
  directory: string,
  now: Date,
): Promise<ServiceSecretRow[]> => {
  const at = now.toISOString();
  const versions = secretNames.map((name): ServiceSecretRow => {
    const ids = createFirstFiles(directory, name);
    return { name, ordinal: 1, ...ids, state: 'current', createdAt: at, changedAt: at };
  });
  for (const version of versions) await store.insertVersion(trx, version);
  return versions;
};

/** A version with an unreadable file. */
export type UnreadableVersion = { version: ServiceSecretRow; error: OperatorError };

export type Follower<Key> = {
  name: SecretName;
  keyset: ChangeableKeyset<Key>;
  /** Loads the versions of the table. Returns the unreadable ones. */
  update(table: readonly ServiceSecretRow[]): UnreadableVersion[];
};

/**
 * Keeps the keyset of one secret in step with the table of versions: loads new ones, changes the current one, drops retired
 * ones. `read` reads the file of a version; it throws OperatorError.
 */
export const makeFollower = <Key>(
  name: SecretName,
  read: (version: ServiceSecretRow) => Key,
): Follower<Key> => {
  const keyset = makeKeyset<Key>();
  return {
    name,
    keyset,
    update: (table) => {
      const unreadable: UnreadableVersion[] = [];
      const before = keyset.versions();
      const load = (version: ServiceSecretRow) => {
        try {
          const known = before.find(({ id }) => id === version.keyId);
          return [{ id: version.keyId, key: known ? known.key : read(version), state: version.state }];
        } catch (error) {
          if (!(error instanceof OperatorError)) throw error;
          unreadable.push({ version, error });
          return [];
        }
      };
      const loaded = table.filter((version) => version.name === name).flatMap(load);
      // Until it has the file of the current version, the process continues with its previous one.
      const current = loaded.find(({ state }) => state === 'current') ?? before[0];
      if (current) keyset.replace([current, ...loaded.filter(({ id }) => id !== current.id)]);
      return unreadable;
    },
  };
};
