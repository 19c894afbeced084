// The service's own secrets, each a file of its own. They are made together with a new database, which records
// their ids: a start with a missing or foreign secret refuses, because what was sealed would be lost silently.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from '../db/open.ts';
import { OperatorError } from '../errors.ts';
import { type KeyPair, keyId, deriveKeyPair, makeSecret } from '../vault/keys.ts';
import { findSecretIds, lockSecrets, insertSecretId } from './store.ts';

/** What a process may hold. The worker's private key and the fingerprint key are the worker's alone. */
export type Secrets = {
  /** Signs and recognises API keys (an Ed25519 seed). */
  apiKeys: Buffer;
  /** Authenticates page cursors. */
  cursors: Buffer;
  /** Seals what the sandbox bank knows. */
  sandbox: Buffer;
  /** Seals orders and bank credentials to the worker. */
  workerPublicKey: Buffer;
  worker?: { keys: KeyPair; fingerprints: Buffer };
};

const secretNames = ['api-keys', 'cursors', 'sandbox', 'worker', 'fingerprints'] as const;
type SecretName = (typeof secretNames)[number];
const workerSecretNames: readonly SecretName[] = ['worker', 'fingerprints'];

/**
 * Reads the secrets of `directory`, or makes them where the database is new. With `worker: false` the two
 * that only the worker may have are neither needed nor read; its public half lies in `worker.pub`.
 */
export const loadSecrets = async (
  db: Database,
  directory: string,
  options: { worker: boolean; now: Date },
): Promise<Secrets> => {
  const wanted = secretNames.filter((name) => options.worker || !workerSecretNames.includes(name));
  const known = await db.transaction(async (trx) => {
    await lockSecrets(trx, db.dialect);
    const ids = await findSecretIds(trx);
    if (ids.size > 0) return ids;
    return makeSecrets(directory, (name, id) => insertSecretId(trx, { name, id, now: options.now }));
  });
  const secrets = new Map(wanted.map((name) => [name, readSecret(directory, name, known.get(name))]));
  const workerSeed = secrets.get('worker');
  const worker = workerSeed && {
    keys: deriveKeyPair(workerSeed),
    fingerprints: secrets.get('fingerprints')!,
  };
  return {
    apiKeys: secrets.get('api-keys')!,
    cursors: secrets.get('cursors')!,
    sandbox: secrets.get('sandbox')!,
    workerPublicKey: readSecret(directory, 'worker.pub', known.get('worker.pub')),
    worker,
  };
};

// A secret that is already there is taken over: an operator may have put it there, and a start that was killed
// between writing the files and committing leaves them.
const makeSecrets = async (
  directory: string,
  record: (name: string, id: string) => Promise<void>,
): Promise<Map<string, string>> => {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const ids = new Map<string, string>();
  const keep = async (name: string, make: () => Buffer): Promise<Buffer> => {
    const file = join(directory, name);
    if (!existsSync(file))
      writeFileSync(file, `${make().toString('base64url')}\n`, { flag: 'wx', mode: 0o600 });
    const bytes = decodeSecret(readFileSync(file, 'utf8'), file);
    ids.set(name, keyId(bytes));
    await record(name, keyId(bytes));
    return bytes;
  };
  for (const name of secretNames) {
    const secret = await keep(name, makeSecret);
    if (name === 'worker') await keep('worker.pub', () => deriveKeyPair(secret).publicKey);
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
