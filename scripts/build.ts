// Builds the pages that the service serves, into dist/, and the packages that npm publishes, each into its own dist/. A part is
// rebuilt only when its sources or its outputs have changed. `npm run build`, `npm start` and the tests all use this script.
// Arguments select the parts to build; the default is all.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync, constants as zlib } from 'node:zlib';
import { buildLlmsText, llmsSources } from './buildLlmsText.ts';
import { buildServer, serverSources } from './buildServer.ts';

/** Sources and outputs are glob patterns below the root. */
export type Part = { name: string; sources: string[]; outputs: string[]; build(): Promise<unknown> };

const projectRoot = join(import.meta.dirname, '..');
const compiler = join(projectRoot, 'node_modules/typescript-7/bin/tsc');

type PageOptions = Omit<Part, 'outputs'>;

/** Pages that the service serves, each file also in compressed forms. */
const pagePart = ({ name, sources, build }: PageOptions): Part => ({
  name,
  sources,
  outputs: [`dist/${name}/**`],
  build: async () => {
    await build();
    compressFiles(join(projectRoot, 'dist', name));
  },
});

const pages: Part[] = [
  pagePart({
    name: 'widget',
    sources: ['widget/*.ts', 'widget/{loader,page}/**', 'generated/widget.ts', 'vite.config.ts'],
    build: async () => {
      await buildWithVite({ configFile: 'vite.config.ts' });
      await buildWithVite({ configFile: 'vite.config.ts', mode: 'loader' });
    },
  }),
  pagePart({
    name: 'dashboard',
    sources: ['dashboard/**', 'generated/management.ts'],
    build: () => buildWithVite({ configFile: 'dashboard/vite.config.ts' }),
  }),
  {
    ...pagePart({
      name: 'reference',
      sources: [
        'scripts/buildReference.ts',
        'scripts/reference*.{css,ts}',
        '{,management/}openapi.yaml',
        'docs/pictures/hero-*.webp',
      ],
      build: async () =>
        (await import('./buildReference.ts')).buildReference(join(projectRoot, 'dist/reference')),
    }),
    outputs: ['dist/reference/{*.template,{files,unhashed}/**}'],
  },
  {
    // A separate part, because every edit of a document changes it, and building the reference takes ten seconds.
    name: 'documentation',
    sources: llmsSources,
    outputs: ['dist/reference/{llms.txt,documents/**}'],
    build: async () => buildLlmsText(join(projectRoot, 'dist/reference')),
  },
];

const compile = (directory: string, config: string): void => {
  const args = [compiler, '-p', join(directory, config)];
  execFileSync(process.execPath, args, { cwd: projectRoot, stdio: 'inherit' });
};

type PackageOptions = { name: string; directory: string; sources: string[]; config?: string };

/** A package: its modules and types, and the license, which npm packs only from the package's own folder. */
const packagePart = ({ name, directory, sources, config = 'tsconfig.json' }: PackageOptions): Part => ({
  name,
  sources: [`${directory}/*.{ts,tsx,json}`, 'LICENSE', ...sources],
  outputs: [`${directory}/dist/**`, `${directory}/LICENSE`],
  build: async () => {
    rmSync(join(projectRoot, directory, 'dist'), { recursive: true, force: true });
    copyFileSync(join(projectRoot, 'LICENSE'), join(projectRoot, directory, 'LICENSE'));
    compile(directory, config);
  },
});

/**
 * The connector kit. Connectors in this repository import its sources, but Node.js strips types only outside node_modules. So
 * the published folder is dist/, with its own package.json that exports the built files.
 */
const kitPart = (): Part => {
  const directory = 'connectors/kit';
  const part = packagePart({ name: 'connector-kit', directory, sources: [`${directory}/README.md`] });
  const build = async (): Promise<void> => {
    await part.build();
    const manifest = JSON.parse(readFileSync(join(projectRoot, directory, 'package.json'), 'utf8'));
    const entries = Object.entries<string>(manifest.exports).map(([name, file]) => {
      const base = file.replace(/\.ts$/, '');
      return [name, { types: `${base}.d.ts`, default: `${base}.js` }];
    });
    const { publishConfig, ...rest } = manifest;
    const { directory: _, ...publish } = publishConfig;
    const published = { ...rest, exports: Object.fromEntries(entries), publishConfig: publish };
    writeFileSync(
      join(projectRoot, directory, 'dist/package.json'),
      `${JSON.stringify(published, null, 2)}\n`,
    );
    for (const file of ['README.md', 'LICENSE'])
      copyFileSync(join(projectRoot, directory, file), join(projectRoot, directory, 'dist', file));
  };
  return { ...part, build };
};

const importOfTypes = /^import (?:type )?(\{.*\}) from '(openapi-fetch|\.\.(?=\/generated\/))(.*)'/gm;
/**
 * In CommonJS: an import of the types for ES modules. The CommonJS types of openapi-fetch do not compile, and the types from the
 * contracts are too large to be packed twice.
 */
const toModuleTypes = (_: string, names: string, from: string, path: string): string =>
  `import type ${names.replaceAll('type ', '')} from '${from.replace('..', '../..')}${path}' with { 'resolution-mode': 'import' }`;

/** The client, as ES modules and, in dist/cjs, as CommonJS. */
const clientPart = (): Part => {
  const sources = ['generated/{api,management,simplefin,widget}.ts'];
  const part = packagePart({ name: 'client', directory: 'client', sources });
  const build = async (): Promise<void> => {
    await part.build();
    compile('client', 'tsconfig.cjs.json');
    const target = join(projectRoot, 'client/dist/cjs');
    writeFileSync(join(target, 'package.json'), '{ "type": "commonjs" }\n');
    rmSync(join(target, 'generated'), { recursive: true });
    for (const file of globSync(join(target, 'client/*.d.ts')))
      writeFileSync(file, readFileSync(file, 'utf8').replace(importOfTypes, toModuleTypes));
  };
  return { ...part, build };
};

const sharedByWidgets = ['widget/{callbacks,settings,types}.ts'];

const packages: Part[] = [
  clientPart(),
  packagePart({ name: 'js', directory: 'widget/js', sources: sharedByWidgets }),
  packagePart({
    name: 'react',
    directory: 'widget/react',
    config: 'tsconfig.build.json',
    sources: [...sharedByWidgets, 'widget/js/dist/**'],
  }),
  packagePart({
    name: 'react-native',
    directory: 'widget/react-native',
    sources: [...sharedByWidgets, 'widget/protocol.ts', 'widget/loader/options.ts'],
  }),
  kitPart(),
  {
    name: 'server',
    sources: ['scripts/buildServer.ts', ...serverSources],
    outputs: ['server/dist/**'],
    build: async () => buildServer(projectRoot),
  },
];

/** The inputs of every part: the installed packages and the compiler's options. */
const commonSources = ['package-lock.json', 'tsconfig.json', 'scripts/build.ts'];

const buildWithVite = async ({ configFile, mode }: { configFile: string; mode?: string }): Promise<void> => {
  const { build } = await import('vite');
  await build({ configFile: join(projectRoot, configFile), mode, logLevel: 'warn' });
};

/** Builds the parts that have changed; returns their names. */
export const buildChangedParts = async (root: string, parts: Part[]): Promise<string[]> => {
  const built: string[] = [];
  for (const { name, sources, outputs, build } of parts) {
    const hashFile = join(root, 'dist/hashes', name);
    const patterns = [...commonSources, ...sources, ...outputs];
    if (existsSync(hashFile) && readFileSync(hashFile, 'utf8') === hashFiles(root, patterns)) continue;
    rmSync(hashFile, { force: true });
    await build();
    mkdirSync(dirname(hashFile), { recursive: true });
    writeFileSync(hashFile, hashFiles(root, patterns));
    built.push(name);
  }
  return built;
};

const compressedTypes = /\.(js|css|html|svg|yaml|json)$/;
const compressedFromBytes = 1024;
/** The maximum, 11, takes twice the time and saves only 1.7%. */
const brotliOptions = { params: { [zlib.BROTLI_PARAM_QUALITY]: 10 } };
/** Writes a `.br` and a `.gz` file next to each text file, for the service to send as they are. */
const compressFiles = (directory: string): void => {
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (!entry.isFile() || !compressedTypes.test(file)) continue;
    const content = readFileSync(file);
    if (content.length < compressedFromBytes) continue;
    writeFileSync(`${file}.br`, brotliCompressSync(content, brotliOptions));
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  }
};

/** The hash of the names and contents of all matching files. */
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

/** The remedy for missing packages. Throws any other error. */
const reasonOf = (error: unknown): string => {
  // `npm ci` omits development packages if NODE_ENV is production.
  if (!existsSync(join(projectRoot, 'node_modules/vite')))
    return 'development packages are not installed. Run `npm ci --include=dev`';
  // npm before 10.9 silently omits the part of a package that needs a newer Node.
  if (/native binding/.test(String(error)))
    return '`npm ci` ran on a Node older than 20.19. Run it again on a newer one';
  throw error;
};

if (import.meta.main) {
  // Vite would use an existing NODE_ENV.
  process.env.NODE_ENV = 'production';
  const names = process.argv.slice(2);
  const chosen = [...pages, ...packages].filter(({ name }) => names.length === 0 || names.includes(name));
  try {
    for (const name of await buildChangedParts(projectRoot, chosen)) console.log(`Built ${name}.`);
  } catch (error) {
    console.error(`The pages cannot be built: ${reasonOf(error)}.`);
    process.exitCode = 1;
  }
}
