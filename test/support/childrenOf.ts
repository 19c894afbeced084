// The child processes of a process.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** The ids of live children. Reads /proc if it exists, because small Linux images have neither `ps` nor `pgrep`. */
export const childrenOf = (pid: number): number[] =>
  (existsSync('/proc/self/stat') ? fromProc() : fromPs())
    .filter(([, parent]) => parent === pid)
    .map(([child]) => child);

type ChildAndParent = [child: number, parent: number];

const fromProc = (): ChildAndParent[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const status = readFileSync(`/proc/${name}/status`, 'utf8');
        return [[Number(name), Number(/^PPid:\s*(\d+)/m.exec(status)?.[1])] as ChildAndParent];
      } catch {
        // The process has ended in the meantime.
        return [];
      }
    });

const fromPs = (): ChildAndParent[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,ppid='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as ChildAndParent);
