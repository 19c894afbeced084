// The package with an application around it, bundled with one or the other React: the way that an application has it.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Rolldown } from 'vite';

/** The package is for all of these. */
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
  /** For Node instead of a browser. */
  server?: boolean;
  /** Packages that are not there, and what stands in for them. */
  stubs?: Record<string, string>;
};

/** The text of one script, made of a file and all that it imports. */
export const bundle = async (entry: string, options: BundleOptions): Promise<string> => {
  const { version, server = false, stubs = {} } = options;
  const replaced = Object.entries(stubs).map(([name, replacement]) => ({
    find: new RegExp(`^${name}$`),
    replacement,
  }));
  const output = (await build({
    configFile: false,
    logLevel: 'error',
    // Only React's development build mounts everything twice in strict mode, and complains.
    define: { 'process.env.NODE_ENV': '"development"' },
    resolve: { alias: [...aliases[version], ...replaced], tsconfigPaths: true },
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

/** What a module exports, run in Node. */
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
