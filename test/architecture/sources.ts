// Reads the source as text, and what each file imports, with the compiler's own reader of imports.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** Paths from the project's root, with `/`, and the text of each file. */
export type Sources = ReadonlyMap<string, string>;

export type Import = { from: string; to: string; isFile: boolean };

const root = fileURLToPath(new URL('../../', import.meta.url));
const ignoredFolders = new Set(['node_modules', '.git', 'dist']);
// Where a service that was started here keeps its own.
const dataFolder = 'data';

/** Every file under these folders or paths whose name ends in one of `endings`. */
export const readSources = (places: readonly string[], endings: readonly string[]): Sources => {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    const entries = readdirSync(root + path, { withFileTypes: true });
    for (const entry of entries.sort((one, other) => one.name.localeCompare(other.name))) {
      const inside = path === '' ? entry.name : `${path}/${entry.name}`;
      if (entry.isDirectory() && !ignoredFolders.has(entry.name) && inside !== dataFolder) visit(inside);
      else if (entry.isFile() && endings.some((ending) => entry.name.endsWith(ending))) {
        found.set(inside, readFileSync(root + inside, 'utf8'));
      }
    }
  };
  for (const place of places) if (existsSync(root + place)) visit(place);
  return found;
};

/** A file that is named by its address and started, not imported: a worker, a child process, a page's script. */
const startedFiles = /new URL\(\s*['"`]([^'"`]+)['"`]\s*,\s*import\.meta\.url/g;

/** All imports, `import type` and `export … from` and `import()` included. */
export const importsOf = (sources: Sources): Import[] =>
  [...sources].flatMap(([from, text]) => {
    const imported = ts.preProcessFile(text, true, true).importedFiles.map(({ fileName }) => fileName);
    const started = [...text.matchAll(startedFiles)].map(([, path]) => path!);
    const relative = (path: string) => posix.join(posix.dirname(from), path);
    return [
      ...imported.map((name) =>
        name.startsWith('.') ? { from, to: relative(name), isFile: true } : { from, to: name, isFile: false },
      ),
      ...started
        .map((path) => ({ from, to: relative(path), isFile: true }))
        .filter(({ to }) => sources.has(to)),
    ];
  });
