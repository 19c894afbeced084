// A small file system that exists only for the program started on it. Needs no privileges except user namespaces.
import { type ChildProcess, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const mountAndRun = 'mount -t tmpfs -o "size=$1" none "$2" && shift 2 && exec "$@"';

/**
 * A program that mounts a file system of this many MiB at `directory`, and then runs the program in its arguments, as root of a
 * user namespace, or as an ordinary user with `asUser`.
 */
export const onSmallDisk = (
  directory: string,
  { mebibytes, asUser = false }: { mebibytes: number; asUser?: boolean },
): string[] => [
  ...['unshare', '--user', '--map-root-user', '--mount'],
  ...['sh', '-c', mountAndRun, 'sh', `${mebibytes}m`, directory],
  ...(asUser ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : []),
];

let tried: boolean | undefined;

/** True if this machine lets a user mount a file system. Containers and some systems do not. */
export const hasSmallDisk = (): boolean => {
  if (tried === undefined) {
    const directory = mkdtempSync(join(tmpdir(), 'bank-connection-disk-'));
    const [program = '', ...args] = onSmallDisk(directory, { mebibytes: 1, asUser: true });
    tried = spawnSync(program, [...args, 'true']).status === 0;
    rmSync(directory, { recursive: true });
  }
  return tried;
};
export const noSmallDisk = 'which mount a small disk with unshare';

/** Fills a program's file system at `directory`. Returns a function that frees the space. */
export const fillDisk = (program: ChildProcess, directory: string): (() => void) => {
  const filler = join('/proc', String(program.pid), 'root', directory, 'filler');
  const descriptor = openSync(filler, 'w');
  for (let size = 1 << 20; size > 0; ) {
    try {
      writeSync(descriptor, Buffer.alloc(size));
    } catch {
      size >>= 1;
    }
  }
  closeSync(descriptor);
  return () => rmSync(filler);
};
