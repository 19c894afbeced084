// What a machine that only serves installs, `npm ci --omit=dev --omit=optional` and the built pages, stays small. The sizes
// are those of the packages here, which the lock file names, so that the test needs no network.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const limitBytes = 120 * 1024 * 1024;

type LockedPackage = { dev?: boolean; optional?: boolean; devOptional?: boolean; link?: boolean };

/** The folders of the packages that are installed to serve. A package below another one has a folder of its own here. */
const productionFolders = (): string[] => {
  const { packages }: { packages: Record<string, LockedPackage> } = JSON.parse(
    readFileSync(join(root, 'package-lock.json'), 'utf8'),
  );
  return Object.entries(packages)
    .filter(([path, { dev, optional, devOptional, link }]) => {
      const isInstalled = path.startsWith('node_modules/') && !link;
      return isInstalled && !dev && !optional && !devOptional;
    })
    .map(([path]) => path);
};

// A file takes whole blocks of 4 KiB, which for small files is most of what it takes.
const blockBytes = 4096;
const onDisk = (bytes: number): number => Math.ceil(bytes / blockBytes) * blockBytes;

/** Bytes on disk of a folder, without the packages inside, which the lock file lists themselves. */
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
  const folders = [...productionFolders(), 'dist/widget', 'dist/dashboard', 'dist/reference'];
  const sizes = folders.map((folder) => ({ folder, bytes: bytesOf(join(root, folder)) }));
  const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
  const largest = sizes.sort((a, b) => b.bytes - a.bytes).slice(0, 5);
  const names = largest.map(({ folder, bytes }) => `${folder} ${megabytes(bytes)}`).join(', ');
  expect(total, `${megabytes(total)}; the largest are ${names}`).toBeLessThanOrEqual(limitBytes);
  // Less than this would mean that packages were not found.
  expect(total).toBeGreaterThan(limitBytes / 2);
});
