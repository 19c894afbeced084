// The file of a backup: a SQLite database, or an archive of pg_dump in its custom format. NAME.sha256 next to it has its
// checksum in the form of sha256sum.
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { access, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { isDiskFull } from '../../platform/db/driver.ts';
import { OperatorError } from '../../platform/values/errors.ts';

export type BackupKind = 'sqlite' | 'postgres';

const signatures: Record<BackupKind, string> = { sqlite: 'SQLite format 3\0', postgres: 'PGDMP' };

/** Detects the kind by the first bytes. Throws OperatorError for a file that is not a backup, or cannot be read. */
export const readKind = async (file: string): Promise<BackupKind> => {
  const head = await readHead(file);
  const kind = Object.entries(signatures).find(([, signature]) => head.startsWith(signature))?.[0];
  if (kind) return kind as BackupKind;
  throw new OperatorError(
    `${file} is not a backup: it is neither a SQLite database nor an archive of pg_dump in the custom format.`,
  );
};

const readHead = async (file: string): Promise<string> => {
  try {
    const handle = await open(file);
    try {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(16), position: 0 });
      return buffer.toString('latin1', 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new OperatorError(`${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
};

export const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );

/**
 * Creates a file, readable by its owner only: `write` fills a temporary file next to it, which is renamed once all bytes are on
 * the disk. If that fails, nothing is left. Throws OperatorError if the file exists.
 */
export const createFile = async (
  file: string,
  write: (temporary: string) => Promise<void>,
): Promise<void> => {
  const refuse = async (): Promise<void> => {
    if (await exists(file)) throw new OperatorError(`${file} already exists: choose another name.`);
  };
  await refuse();
  const temporary = `${file}.${process.pid}.part`;
  await (await open(temporary, 'wx', 0o600).catch(explainOpen(file))).close();
  try {
    await write(temporary);
    await flush(temporary);
    await refuse();
    await rename(temporary, file);
    await flush(dirname(file));
  } catch (error) {
    if (isDiskFull(error)) throw new OperatorError(`${file} cannot be written: the disk is full.`);
    throw error;
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) await rm(`${temporary}${suffix}`, { force: true });
  }
};

const explainOpen =
  (file: string) =>
  ({ code }: NodeJS.ErrnoException): never => {
    throw new OperatorError(`${file} cannot be created (${code}).`);
  };

const flush = async (path: string): Promise<void> => {
  const handle = await open(path);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

const checksumFile = (file: string): string => `${file}.sha256`;

const hashFile = async (file: string): Promise<string> => {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk);
  return hash.digest('hex');
};

/** Writes the checksum of a file next to it. Returns it in hexadecimal, and the size of the file in bytes. */
export const writeChecksum = async (file: string): Promise<{ sha256: string; bytes: number }> => {
  const sha256 = await hashFile(file);
  await writeFile(checksumFile(file), `${sha256}  ${basename(file)}\n`, { mode: 0o600, flush: true });
  return { sha256, bytes: (await stat(file)).size };
};

/** True if there is a checksum next to the file. Throws OperatorError if it does not match. */
export const verifyChecksum = async (file: string): Promise<boolean> => {
  if (!(await exists(checksumFile(file)))) return false;
  const [expected] = (await readFile(checksumFile(file), 'utf8')).split(' ');
  if (expected === (await hashFile(file))) return true;
  throw new OperatorError(`${file} is damaged: its checksum does not match ${checksumFile(file)}.`);
};
