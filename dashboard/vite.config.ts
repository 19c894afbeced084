// Builds the dashboard into dist/dashboard: one page, and hashed files under assets that may be cached for ever.
// Every address of the page answers the same index.html, so that its files are named from /dashboard.
import { join } from 'node:path';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  base: '/dashboard/',
  build: {
    outDir: join(import.meta.dirname, '../dist/dashboard'),
    emptyOutDir: true,
    target: ['chrome123', 'edge123', 'firefox124', 'safari17.5'],
    reportCompressedSize: false,
    // The page's policy allows no data: addresses, so that every picture and font stays a file.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 800,
    rolldownOptions: {
      // Libraries mark their modules for frameworks that render on a server, which this page is not.
      onLog: (level, log, report) => log.code !== 'MODULE_LEVEL_DIRECTIVE' && report(level, log),
    },
  },
  // The component library brings its few words in thirty languages; the dashboard speaks English.
  plugins: [optimizeLocales.vite({ locales: ['en-GB', 'en-US'] })],
  oxc: { jsx: { runtime: 'automatic', importSource: 'react' } },
});
