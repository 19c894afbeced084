// `npm run release -- --dry-run` finds the reasons not to publish. The dry run itself is executed only with TEST_ALL, because it
// needs npm's registry; deploy/image.test.ts builds the image.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { findProblems } from '../../scripts/release.ts';
import { makeNpmEnv } from '../support/npmEnv.ts';

const root = join(import.meta.dirname, '../..');

describe('a release', () => {
  const js = { name: '@bank-connection/js', version: '0.2.0' };
  const react = {
    name: '@bank-connection/react',
    version: '0.2.0',
    dependencies: { '@bank-connection/js': '^0.2.0', other: '^1.0.0' },
  };
  const release = {
    manifests: [js, react],
    changelog: '# Changelog\n\n## 0.2.0 (2027-01-01)\n\n- **New**\n\n## 0.1.0\n',
    tags: ['v0.1.0', '@bank-connection/js@0.1.0', '@bank-connection/js@10.2.0', ''],
  };

  test('has no problem', () => {
    expect(findProblems(release)).toEqual([]);
  });

  test.each([
    [
      { manifests: [js, { ...react, version: '0.1.0' }] },
      '@bank-connection/react has the version 0.1.0, @bank-connection/js has 0.2.0.',
    ],
    [
      { manifests: [js, { ...react, dependencies: { '@bank-connection/js': '^0.1.0' } }] },
      '@bank-connection/react needs @bank-connection/js ^0.1.0 instead of ^0.2.0.',
    ],
    [{ changelog: '## 0.2.01\n\n## 0.1.0\n\nOf 0.2.0\n' }, 'CHANGELOG.md has no heading "## 0.2.0".'],
    [{ tags: ['v0.2.0'] }, 'The tag v0.2.0 exists.'],
    [{ tags: ['@bank-connection/js@0.2.0'] }, 'The tag @bank-connection/js@0.2.0 exists.'],
  ])('is refused: %o', (change, problem) => {
    expect(findProblems({ ...release, ...change })).toEqual([problem]);
  });
});

test.runIf(process.env.TEST_ALL)(
  'the dry run does everything except the upload',
  { timeout: 180_000 },
  async () => {
    const script = ['scripts/release.ts', '--dry-run', '--without-image'];
    const options = { cwd: root, env: makeNpmEnv(), maxBuffer: 2 ** 24 };
    const { stdout } = await promisify(execFile)(process.execPath, script, options);
    for (const name of ['client', 'connector-kit', 'js', 'react', 'react-native', 'server'])
      expect(stdout).toMatch(new RegExp(`^@bank-connection/${name} \\d+\\.\\d+\\.\\d+: \\d+ files$`, 'm'));
    expect(stdout).toContain('dist/cjs/client/management.js\n');
    expect(stdout).toMatch(/^6 packages can be published\.$/m);
  },
);
