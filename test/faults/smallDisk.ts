// A file system with little room, which only the program that is started on it has. Needs no rights but user namespaces.
import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

const mountAndRun = 'mount -t tmpfs -o "size=$1" none "$2" && shift 2 && exec "$@"';

/**
 * The program that mounts a file system of so many MiB at `directory`, and becomes the program after it. That one is root in its
 * own eyes, or any other user with `asUser`.
 */
export const onSmallDisk = (
  directory: string,
  { mebibytes, asUser = false }: { mebibytes: number; asUser?: boolean },
): string[] => [
  ...['unshare', '--user', '--map-root-user', '--mount'],
  ...['sh', '-c', mountAndRun, 'sh', `${mebibytes}m`, directory],
  ...(asUser ? ['unshare', '--user', '--map-user=1000', '--map-group=1000'] : []),
];

/** Takes all room that the file system at `directory` of a program still has. Returns what gives it back. */
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
