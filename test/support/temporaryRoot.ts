// Where a test run writes its files: in memory where there is room, because writing them to a disk takes a sixth of the run.
import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
/** A run uses a tenth of it. */
const freeBytesMin = 4 * 2 ** 30;

/** TMPDIR if it is set; otherwise the file system in memory of Linux, if programs can be run from it, or the system's. */
export const temporaryRoot = (): string => {
  if (process.env.TMPDIR) return process.env.TMPDIR;
  return hasRoomInMemory() ? memory : tmpdir();
};

const hasRoomInMemory = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(memory);
    const mounts = readFileSync('/proc/mounts', 'utf8');
    const [, options = 'noexec'] = new RegExp(`^\\S+ ${memory} tmpfs (\\S+)`, 'm').exec(mounts) ?? [];
    return bavail * bsize >= freeBytesMin && !options.split(',').includes('noexec');
  } catch {
    return false;
  }
};
