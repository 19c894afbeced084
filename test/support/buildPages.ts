// Runs before all tests: builds the pages of widget and dashboard if a source is newer than the last build.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
/** The build writes this file last. */
const lastOutput = join(root, 'dist/dashboard/index.html');
const sources = ['widget', 'dashboard', 'generated', 'vite.config.ts', 'package-lock.json'];

const modifiedAt = (path: string): number => {
  const stats = statSync(path);
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(...readdirSync(path).map((name) => modifiedAt(join(path, name))));
};

export default (): void => {
  const changed = Math.max(...sources.map((source) => modifiedAt(join(root, source))));
  if (existsSync(lastOutput) && modifiedAt(lastOutput) > changed) return;
  execFileSync('npm', ['run', '-s', 'build'], { cwd: root, env: { ...process.env, NODE_ENV: '' } });
};
