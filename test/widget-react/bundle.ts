// Bundles an application with the package and React 18 or 19.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Rolldown } from 'vite';

/** The supported versions of React. */
export const versions = ['18', '19'] as const;
export type Version = (typeof versions)[number];

const aliases = {
  '18': [
    { find: /^react(?=\/|$)/, replacement: 'react18' },
    { find: /^react-dom(?=\/|$)/, replacement: 'react-dom18' },
  ],
  '19': [],
};

export type BundleOptions = {
  version: Version;
  /** Bundles for Node.js instead of a browser. */
  server?: boolean;
  /** Files that replace packages. */
  stubs?: Record<string, string>;
};

/** The code of a file with all its imports. */
export const bundle = async (entry: string, options: BundleOptions): Promise<string> => {
  const { version, server = false, stubs = {} } = options;
  const stubAliases = Object.entries(stubs).map(([name, replacement]) => ({
    find: new RegExp(`^${name}$`),
    replacement,
  }));
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    // Only in the development build does strict mode mount twice and React warn.
    define: { 'process.env.NODE_ENV': '"development"' },
    resolve: { alias: [...aliases[version], ...stubAliases], tsconfigPaths: true },
    ssr: { noExternal: true },
    build: {
      write: false,
      minify: false,
      ssr: server,
      target: 'esnext',
      rolldownOptions: {
        input: entry,
        output: { format: server ? 'es' : 'iife', codeSplitting: false },
      },
    },
  })) as Rolldown.RolldownOutput;
  return output.output[0].code;
};

/** Runs a module in Node.js and returns its exports. */
export const load = async <Exports>(code: string): Promise<Exports> => {
  const directory = await mkdtemp(join(tmpdir(), 'bank-connection-bundle-'));
  const file = join(directory, 'bundle.mjs');
  try {
    await writeFile(file, code);
    return (await import(/* @vite-ignore */ pathToFileURL(file).href)) as Exports;
  } finally {
    await rm(directory, { recursive: true });
  }
};
