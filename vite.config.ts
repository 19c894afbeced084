// Builds what runs in browsers into dist/widget, laid out as the service serves it: connect.js, the page at
// connect/index.html and its files under connect/assets. Two builds, because the loader is one classic script with
// a fixed name, and the page is a module with hashed files that may be cached for ever.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gzipSync } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';

const out = join(import.meta.dirname, 'dist/widget');
const target = ['chrome123', 'edge123', 'firefox124', 'safari17.5'];

/** The page is asked for at /connect, so that its files are connect/assets seen from there. */
const pageAtConnect: Plugin = {
  name: 'page-at-connect',
  enforce: 'post',
  generateBundle(_, bundle) {
    const page = bundle['index.html'];
    if (page) page.fileName = 'connect/index.html';
  },
};

const sizes: Plugin = {
  name: 'sizes',
  closeBundle() {
    const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    for (const file of files) {
      const path = join(file.parentPath, file.name);
      const bytes = gzipSync(readFileSync(path)).length;
      console.log(`${String(bytes).padStart(7)} bytes gzip  ${relative(out, path)}`);
    }
  },
};

const page = defineConfig({
  root: 'widget/page',
  base: './',
  build: {
    outDir: out,
    emptyOutDir: true,
    assetsDir: 'connect/assets',
    target,
    modulePreload: false,
    reportCompressedSize: false,
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  plugins: [pageAtConnect],
});

const loader = defineConfig({
  build: {
    outDir: out,
    emptyOutDir: false,
    target,
    reportCompressedSize: false,
    lib: {
      entry: 'widget/loader/connect.ts',
      formats: ['iife'],
      name: 'connectLoader',
      fileName: () => 'connect.js',
    },
  },
  plugins: [sizes],
});

export default defineConfig(({ mode }) => (mode === 'loader' ? loader : page));
