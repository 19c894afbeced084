// Builds the dashboard into dist/dashboard: index.html, and content-hashed files under assets, which never expire. The service
// returns the same index.html for every path under /dashboard, so asset URLs are absolute.
import { join } from 'node:path';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  build: {
    outDir: join(import.meta.dirname, '../dist/dashboard'),
    emptyOutDir: true,
    target: ['chrome123', 'edge123', 'firefox124', 'safari17.5'],
    reportCompressedSize: false,
    // The page's Content-Security-Policy forbids data: URLs for fonts, so nothing is inlined.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Libraries mark modules with 'use client' for server rendering, which the dashboard does not use.
      onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
    },
  },
  // Preact, as in the widget: React and ReactDOM alone are 58 kB compressed, Preact is 7 kB.
  resolve: {
    alias: {
      'react/jsx-runtime': 'preact/jsx-runtime',
      'react-dom/client': 'preact/compat/client',
      'react-dom': 'preact/compat',
      react: 'preact/compat',
    },
  },
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
});
