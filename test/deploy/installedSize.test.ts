// The installation on a machine that only serves, `npm ci --omit=dev --omit=optional` and the built pages, stays small. The
// sizes are those of the local packages in the lock file, so that the test needs no network. No package runs an install script.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { productionPackages } from '../../deploy/image/service.ts';
import { readText } from './deployFiles.ts';

const root = join(import.meta.dirname, '../..');
const limitBytes = 120 * 1024 * 1024;

// A file occupies whole blocks of 4 KiB, which account for most of the space that small files take.
const blockBytes = 4096;
const onDisk = (bytes: number): number => Math.ceil(bytes / blockBytes) * blockBytes;

/** Bytes on disk of a folder, without nested packages, which the lock file lists separately. */
const bytesOf = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .reduce((sum, entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return sum + bytesOf(path);
      return sum + (entry.isFile() ? onDisk(statSync(path).size) : 0);
    }, blockBytes);

const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`;

test('the packages and pages of a serving machine take at most 120 MB', () => {
  const installed = productionPackages().filter(([, { link }]) => !link);
  const pages = ['dist/widget', 'dist/dashboard', 'dist/reference'];
  const folders = [...installed.map(([folder]) => folder), ...pages];
  const sizes = folders.map((folder) => ({ folder, bytes: bytesOf(join(root, folder)) }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = sizes.sort((a, b) => b.bytes - a.bytes).slice(0, 5);
  const names = largest.map(({ folder, bytes }) => `${folder} ${megabytes(bytes)}`).join(', ');
  expect(total, `${megabytes(total)}; the largest are ${names}`).toBeLessThanOrEqual(limitBytes);
  // A smaller size would mean that packages were not found.
  expect(total).toBeGreaterThan(limitBytes / 2);
});

test('no package that serves has an install script, and npm runs none of the others', () => {
  const withScript = productionPackages().filter(([, { hasInstallScript }]) => hasInstallScript);
  expect(withScript).toEqual([]);
  expect(readText('.npmrc')).toMatch(/^ignore-scripts=true$/m);
  // npm reads .npmrc only in the folder that contains it.
  expect(readText('Dockerfile')).toMatch(/^COPY [^\n]*\.npmrc \.\/\n+RUN npm ci$/m);
});
