// A checkout of another commit of this repository, in a temporary git worktree that uses this checkout's packages.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Checkout = { path: string; commit: string; remove(): Promise<void> };

export const thisCheckout = fileURLToPath(new URL('../..', import.meta.url));

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: thisCheckout, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/** Checks out a commit. The packages of the two commits should be the same. */
export const checkOut = async (commit: string): Promise<Checkout> => {
  const hash = git('rev-parse', '--short', `${commit}^{commit}`).trim();
  const parent = await mkdtemp(join(tmpdir(), 'bank-connection-checkout-'));
  const path = join(parent, hash);
  git('worktree', 'add', '--quiet', '--detach', path, hash);
  for (const directory of ['node_modules', 'dist']) {
    const target = join(thisCheckout, directory);
    if (existsSync(target)) await symlink(target, join(path, directory));
  }
  return {
    path,
    commit: hash,
    remove: async () => {
      git('worktree', 'remove', '--force', path);
      await rm(parent, { recursive: true, force: true });
    },
  };
};
