// A checkout of another commit of this repository, in a temporary git worktree that uses this checkout's packages.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { linkPackages } from '../../scripts/linkPackages.ts';

export type Checkout = { path: string; commit: string; remove(): void };

export const thisCheckout = fileURLToPath(new URL('../..', import.meta.url));

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: thisCheckout, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });

/**
 * Checks out a commit and links this checkout's packages, which should be the same for both commits, and its `linked` folders.
 * The process removes the new checkout when it exits, if not earlier.
 */
export const checkOut = (commit: string, linked: readonly string[] = ['dist']): Checkout => {
  const hash = git('rev-parse', '--short', `${commit}^{commit}`).trim();
  const parent = mkdtempSync(join(tmpdir(), 'bank-connection-checkout-'));
  const path = join(parent, hash);
  git('worktree', 'add', '--quiet', '--detach', path, hash);
  linkPackages(thisCheckout, path);
  for (const directory of linked) {
    const target = join(thisCheckout, directory);
    if (existsSync(target)) symlinkSync(target, join(path, directory));
  }
  let removed = false;
  const remove = (): void => {
    if (removed) return;
    removed = true;
    git('worktree', 'remove', '--force', path);
    rmSync(parent, { recursive: true, force: true });
  };
  process.once('exit', remove);
  return { path, commit: hash, remove };
};
