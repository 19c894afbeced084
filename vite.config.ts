// Builds the widget into dist/widget, in the layout of its URLs: connect.js, the page connect/index.html and its files in
// connect/assets. It takes two builds: the loader is one classic script with a fixed name, and the page is a module with
// hashed files that are cached without expiry.
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

const out = join(import.meta.dirname, 'dist/widget');
const target = ['chrome123', 'edge123', 'firefox124', 'safari17.5'];

/** The page's URL is /connect, and it refers to its files as connect/assets. */
const pageAtConnect: Plugin = {
  name: 'page-at-connect',
  enforce: 'post',
  generateBundle(_, bundle) {
    const page = bundle['index.html'];
    if (page) page.fileName = 'connect/index.html';
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
});

export default defineConfig(({ mode }) => (mode === 'loader' ? loader : page));
