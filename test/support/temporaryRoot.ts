// The directory for a test run's files: in memory if there is room, because writing to a disk takes a sixth of the run's time.
import { readFileSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';

const memory = '/dev/shm';
/** A run uses a tenth of this. */
const freeBytesMin = 4 * 2 ** 30;

/** TMPDIR if it is set; otherwise the in-memory file system of Linux, if programs can be run from it, or the system's directory. */
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
