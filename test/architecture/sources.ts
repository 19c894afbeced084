// Reads the repository's files as text.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Paths from the project's root, with `/`, and the text of each file. */
export type Sources = ReadonlyMap<string, string>;

const root = fileURLToPath(new URL('../../', import.meta.url));
/** `data` is the default DATA_DIR of a service that was started in this checkout. */
const ignored = new Set(['.git', 'data']);

/** Every file under these folders whose name ends in one of `endings`. An empty text means all. */
export const readSources = (folders: readonly string[], endings: readonly string[]): Sources => {
  const sources = new Map<string, string>();
  const readFolder = (folder: string): void => {
    const entries = readdirSync(root + folder, { withFileTypes: true });
    for (const entry of entries.sort((left, right) => left.name.localeCompare(right.name))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (ignored.has(path) || entry.name === 'node_modules' || entry.name === 'dist') continue;
      if (entry.isDirectory()) readFolder(path);
      else if (entry.isFile() && endings.some((ending) => entry.name.endsWith(ending))) {
        sources.set(path, readFileSync(root + path, 'utf8'));
      }
    }
  };
  for (const folder of folders) if (existsSync(root + folder)) readFolder(folder);
  return sources;
};
