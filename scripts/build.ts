// Builds what runs in browsers into dist/: the widget and the dashboard. A part is built again only when its sources,
// or what was built of them, have changed. `npm run build`, `npm start` and the tests all use this.
import { createHash } from 'node:crypto';
import { existsSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';

/** One folder of dist/. Sources are glob patterns below the root. */
export type Part = { name: string; sources: string[]; build(): Promise<unknown> };

const projectRoot = join(import.meta.dirname, '..');

const parts: Part[] = [
  {
    name: 'widget',
    sources: ['widget/*.ts', 'widget/{loader,page}/**', 'generated/widget.ts', 'vite.config.ts'],
    build: async () => {
      await buildWithVite({ configFile: 'vite.config.ts' });
      await buildWithVite({ configFile: 'vite.config.ts', mode: 'loader' });
    },
  },
  {
    name: 'dashboard',
    sources: ['dashboard/**', 'generated/dashboard.ts'],
    build: () => buildWithVite({ configFile: 'dashboard/vite.config.ts' }),
  },
];

/** What every part depends on: the installed packages and the compiler's options. */
const commonSources = ['package-lock.json', 'tsconfig.json', 'scripts/build.ts'];

const buildWithVite = async ({ configFile, mode }: { configFile: string; mode?: string }): Promise<void> => {
  const { build } = await import('vite');
  await build({ configFile: join(projectRoot, configFile), mode, logLevel: 'warn' });
};

/** Builds those parts that have changed; returns their names. */
export const buildChangedParts = async (root: string, parts: Part[]): Promise<string[]> => {
  const built: string[] = [];
  for (const { name, sources, build } of parts) {
    const hashFile = join(root, 'dist', `${name}.sha256`);
    const patterns = [...commonSources, ...sources, `dist/${name}/**`];
    if (existsSync(hashFile) && readFileSync(hashFile, 'utf8') === hashFiles(root, patterns)) continue;
    rmSync(hashFile, { force: true });
    await build();
    compressFiles(join(root, 'dist', name));
    writeFileSync(hashFile, hashFiles(root, patterns));
    built.push(name);
  }
  return built;
};

const compressedTypes = /\.(js|css|html|svg|yaml|json)$/;
const compressedFromBytes = 1024;

/** Writes a `.br` and a `.gz` file beside each text file, for the service to send as they are. */
const compressFiles = (directory: string): void => {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !compressedTypes.test(file)) continue;
    const content = readFileSync(file);
    if (content.length < compressedFromBytes) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(content));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
};

/** The hash of all files that fit, of their names and contents. */
const hashFiles = (root: string, patterns: string[]): string => {
  const files = globSync(patterns, { cwd: root, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256');
  for (const file of files)
    hash
      .update(`${file.slice(root.length)}\0`)
      .update(readFileSync(file))
      .update('\0');
  return hash.digest('hex');
};

if (import.meta.main) {
  // Vite takes a NODE_ENV that is set for its own.
  process.env.NODE_ENV = 'production';
  for (const name of await buildChangedParts(projectRoot, parts)) console.log(`Built dist/${name}.`);
}
