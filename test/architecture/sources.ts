// Reads the repository's files as text.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Paths from the project's root, with `/`, and the text of each file. */
export type Sources = ReadonlyMap<string, string>;

const root = fileURLToPath(new URL('../../', import.meta.url));

/** The files that git tracks. Without git, all files except packages, builds and the default DATA_DIR. */
const listFiles = (): string[] => {
  const { status, stdout } = spawnSync('git', ['ls-files', '-z'], { cwd: root, encoding: 'utf8' });
  if (status === 0 && stdout) return stdout.split('\0').filter((path) => path && existsSync(root + path));
  return readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(root.length).replace(/^\//, ''))
    .filter((path) => !/(^|\/)(node_modules|dist|\.git)\/|^data\//.test(path));
};

/** Every file in these folders whose name ends in one of `endings`. An empty ending matches all. */
export const readSources = (folders: readonly string[], endings: readonly string[]): Sources => {
  const isIn = (path: string) => folders.some((folder) => folder === '' || path.startsWith(`${folder}/`));
  const paths = listFiles().filter((path) => isIn(path) && endings.some((ending) => path.endsWith(ending)));
  return new Map(paths.sort().map((path) => [path, readFileSync(root + path, 'utf8')]));
};
