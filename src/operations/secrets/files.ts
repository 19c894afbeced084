// The files in SECRETS_DIR: 32 bytes in base64url each. The first version of a secret is in a file with its name, a later one in
// `NAME.ID`; the public half of a pair has the suffix `.pub`. A file is trusted only if its bytes match the id in the table,
// and the table has no file names, so write access to the database is not enough to make another file a secret.
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { ServiceSecretRow } from '../../platform/db/tables.ts';
import { describeOwner } from '../../platform/settings/describeOwner.ts';
import { OperatorError } from '../../platform/values/errors.ts';
import { keyId, makeSecret } from '../../platform/vault/keys.ts';
import { publicKeyOf, type SecretName, secretNames } from './names.ts';

/** The columns that determine the file name of a version. */
type VersionName = Pick<ServiceSecretRow, 'name' | 'ordinal' | 'keyId'>;

/** The file name of a version, without the suffix of a public half. */
export const fileNameOf = ({ name, ordinal, keyId: id }: VersionName): string =>
  ordinal === 1 ? name : `${name}.${id}`;

/** Reads a version; throws OperatorError if its file is missing, damaged or of another version. */
export const readSecretFile = (directory: string, version: ServiceSecretRow): Buffer =>
  readKey(join(directory, fileNameOf(version)), version, version.keyId);

/** Reads the public half of a version; throws OperatorError like `readSecretFile`. */
export const readPublicFile = (directory: string, version: ServiceSecretRow): Buffer =>
  readKey(join(directory, `${fileNameOf(version)}.pub`), version, version.publicKeyId);

const readKey = (file: string, { ordinal }: VersionName, id: string | null): Buffer => {
  if (!existsSync(file)) {
    const copy = ordinal === 1 ? '' : 'copy it from the machine where it was rotated, or ';
    throw new OperatorError(
      `The secret ${file} is missing: ${copy}restore it from your backup, together with its database.`,
    );
  }
  const bytes = decodeFile(file);
  if (keyId(bytes) === id) return bytes;
  throw new OperatorError(
    `The secret ${file} is for another database: SECRETS_DIR and DATABASE_URL must match.`,
  );
};

const decodeFile = (file: string): Buffer => {
  const bytes = Buffer.from(onFile(file, () => readFileSync(file, 'utf8')).trim(), 'base64url');
  if (bytes.length === 32) return bytes;
  throw new OperatorError(`The secret ${file} is damaged: it must be 32 bytes in base64url.`);
};

/**
 * The files of the first version of a secret, which are created if they are missing. An existing file is used: either the
 * operator has provided it, or an interrupted start has left it. Throws OperatorError for a public key whose private key is
 * missing or different.
 */
export const createFirstFiles = (directory: string, name: SecretName): Pick<ServiceSecretRow, FileIds> => {
  onFile(directory, () => mkdirSync(directory, { recursive: true, mode: 0o700 }));
  const file = join(directory, name);
  const publicFile = `${file}.pub`;
  if (!existsSync(file)) {
    if (existsSync(publicFile))
      throw new OperatorError(
        `${publicFile} exists without ${file}: the first start on a database needs all secrets.`,
      );
    writeKey(file, makeSecret());
  }
  const secret = decodeFile(file);
  const publicKey = publicKeyOf[name]?.(secret);
  if (!publicKey) return { keyId: keyId(secret), publicKeyId: null };
  if (!existsSync(publicFile)) writeKey(publicFile, publicKey);
  if (!decodeFile(publicFile).equals(publicKey))
    throw new OperatorError(`${publicFile} does not match ${file}.`);
  return { keyId: keyId(secret), publicKeyId: keyId(publicKey) };
};

type FileIds = 'keyId' | 'publicKeyId';

/** Creates the files of a later version. Throws OperatorError if they cannot be written. */
export const createNextFiles = (directory: string, name: SecretName): Pick<ServiceSecretRow, FileIds> => {
  const secret = makeSecret();
  const publicKey = publicKeyOf[name]?.(secret);
  const ids = { keyId: keyId(secret), publicKeyId: publicKey ? keyId(publicKey) : null };
  const file = join(directory, `${name}.${ids.keyId}`);
  writeKey(file, secret);
  if (publicKey) writeKey(`${file}.pub`, publicKey);
  return ids;
};

// Flushed, because the database commits to it next.
const writeKey = (file: string, bytes: Buffer): void => {
  const options = { flag: 'wx', mode: 0o600, flush: true };
  onFile(file, () => writeFileSync(file, `${bytes.toString('base64url')}\n`, options));
};

const isVersionOf = (name: SecretName, file: string): boolean =>
  new RegExp(`^${name}(\\.[\\da-f]{32})?(\\.pub)?$`).test(file);

/**
 * Copies the files for `serve --no-worker`, all versions without the private halves of pairs, and returns the names. The group
 * can read the copies if it can read `target`. Each copy replaces its file atomically, because a process may be reading it.
 */
export const exportServingFiles = (directory: string, target: string): string[] => {
  mkdirSync(target, { recursive: true, mode: 0o700 });
  const mode = statSync(target).mode & 0o040 ? 0o640 : 0o600;
  const serves = (file: string): boolean =>
    secretNames.some((name) => isVersionOf(name, file) && (!publicKeyOf[name] || file.endsWith('.pub')));
  const files = readdirSync(directory).filter(serves).sort();
  for (const file of files) {
    const unfinished = join(target, `.${file}`);
    rmSync(unfinished, { force: true });
    writeFileSync(unfinished, readFileSync(join(directory, file)), { flag: 'wx', mode: 0o600, flush: true });
    chmodSync(unfinished, mode);
    renameSync(unfinished, join(target, file));
  }
  return files;
};

/** Removes the files of the versions of a secret that are not `listed`, and returns their names. */
export const removeUnlistedFiles = (
  directory: string,
  name: SecretName,
  listed: readonly ServiceSecretRow[],
): string[] => {
  const keep = new Set(listed.filter((version) => version.name === name).map(fileNameOf));
  const removed = readdirSync(directory).filter(
    (file) => isVersionOf(name, file) && !keep.has(file.replace(/\.pub$/, '')),
  );
  for (const file of removed) onFile(join(directory, file), () => rmSync(join(directory, file)));
  return removed;
};

/** Runs an operation on a file; throws OperatorError with the system's code if it fails. */
const onFile = <Result>(file: string, run: () => Result): Result => {
  try {
    return run();
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(
      `${file} in SECRETS_DIR cannot be read or written (${code}).${describeOwner(file)}`,
    );
  }
};
