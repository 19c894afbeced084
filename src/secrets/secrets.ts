// The service's secrets, one file each. They are created together with a new database, which stores their ids: a start
// with a missing secret or one of another database fails, because sealed data could not be read.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../db/open.ts';
import { OperatorError } from '../errors.ts';
import { deriveKeyPair, type KeyPair, keyId, makeSecret } from '../vault/keys.ts';
import { deriveSigningKeys, type SigningKeys } from '../vault/sign.ts';
import { findSecretIds, insertSecretId, lockSecrets } from './store.ts';

/** The secrets of a process. Only workers have the worker's and the signing private key, and the fingerprint key. */
export type Secrets = {
  /** Signs and verifies API keys (an Ed25519 seed). */
  apiKeys: Buffer;
  /** Authenticates page cursors. */
  cursors: Buffer;
  /** Seals the data of the sandbox bank. */
  sandbox: Buffer;
  /** Seals import requests and bank credentials to the worker. */
  workerPublicKey: Buffer;
  /** Verifies what the worker has signed. */
  signingPublicKey: Buffer;
  worker?: { keys: KeyPair; signing: SigningKeys; fingerprints: Buffer };
};

const secretNames = ['api-keys', 'cursors', 'sandbox', 'worker', 'row-signing', 'fingerprints'] as const;
type SecretName = (typeof secretNames)[number];
const workerSecretNames: readonly SecretName[] = ['worker', 'row-signing', 'fingerprints'];

/** The secrets that are the private half of a pair; the public half is in a file of its own, with the suffix `.pub`. */
const publicKeyOf: { [Name in SecretName]?: (secret: Buffer) => Buffer } = {
  worker: (secret) => deriveKeyPair(secret).publicKey,
  'row-signing': (seed) => deriveSigningKeys(seed).publicKey,
};

/**
 * Reads the secrets of `directory`, or creates them if the database is new. With `worker: false` the secrets of the
 * worker are not read and may be missing; the public keys are in `worker.pub` and `row-signing.pub`. Throws OperatorError.
 */
export const loadSecrets = async (
  db: Database,
  directory: string,
  options: { worker: boolean; now: Date },
): Promise<Secrets> => {
  const names = secretNames.filter((name) => options.worker || !workerSecretNames.includes(name));
  const ids = await db.transaction(async (trx) => {
    await lockSecrets(trx, db.dialect);
    const storedIds = await findSecretIds(trx);
    if (storedIds.size > 0) return storedIds;
    return createSecrets(directory, (name, id) => insertSecretId(trx, { name, id, now: options.now }));
  });
  const secrets = new Map(names.map((name) => [name, readSecret(directory, name, ids.get(name))]));
  const workerSeed = secrets.get('worker');
  const worker = workerSeed && {
    keys: deriveKeyPair(workerSeed),
    signing: deriveSigningKeys(secrets.get('row-signing')!),
    fingerprints: secrets.get('fingerprints')!,
  };
  return {
    apiKeys: secrets.get('api-keys')!,
    cursors: secrets.get('cursors')!,
    sandbox: secrets.get('sandbox')!,
    workerPublicKey: readSecret(directory, 'worker.pub', ids.get('worker.pub')),
    signingPublicKey: readSecret(directory, 'row-signing.pub', ids.get('row-signing.pub')),
    worker,
  };
};

// An existing file is used: the operator may have provided it, or a start that was killed before its commit left it.
const createSecrets = async (
  directory: string,
  storeId: (name: string, id: string) => Promise<void>,
): Promise<Map<string, string>> => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const ids = new Map<string, string>();
  const createSecret = async (name: string, generate: () => Buffer): Promise<Buffer> => {
    const file = join(directory, name);
    if (!existsSync(file))
      writeFileSync(file, `${generate().toString('base64url')}\n`, { flag: 'wx', mode: 0o600 });
    const bytes = decodeSecret(readFileSync(file, 'utf8'), file);
    ids.set(name, keyId(bytes));
    await storeId(name, keyId(bytes));
    return bytes;
  };
  for (const name of secretNames) {
    const secret = await createSecret(name, makeSecret);
    const publicKey = publicKeyOf[name];
    if (publicKey) await createSecret(`${name}.pub`, () => publicKey(secret));
  }
  return ids;
};

const readSecret = (directory: string, name: string, id: string | undefined): Buffer => {
  const file = join(directory, name);
  if (!existsSync(file)) {
    throw new OperatorError(
      `The secret ${file} is missing: restore it from your backup, together with its database.`,
    );
  }
  const bytes = decodeSecret(readFileSync(file, 'utf8'), file);
  if (keyId(bytes) === id) return bytes;
  throw new OperatorError(
    `The secret ${file} belongs to another database: SECRETS_DIR and DATABASE_URL must match.`,
  );
};

const decodeSecret = (text: string, file: string): Buffer => {
  const bytes = Buffer.from(text.trim(), 'base64url');
  if (bytes.length === 32) return bytes;
  throw new OperatorError(`The secret ${file} is damaged: it must be 32 bytes in base64url.`);
};
