// Runs the rules of dependency-cruiser (imports), Biome (code), knip (unused files and exports) and Redocly (contracts) on a
// project and a contract that violate each of them. The tools' own files define the rules; `npm run check` runs them on the repository.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const bin = join(root, 'node_modules/.bin');

/** Standard output of a tool. Violations make it exit with a code other than 0. */
const run = (cwd: string, tool: string, ...args: string[]): Promise<string> =>
  new Promise((resolve) => {
    const options = { cwd, maxBuffer: 64 * 2 ** 20, env: { ...process.env, NO_COLOR: '1' } };
    execFile(join(bin, tool), args, options, (_error, stdout) => resolve(stdout));
  });

const settings = ['.dependency-cruiser.mjs', 'biome.json', 'knip.json', 'tsconfig.json', 'package.json'];

let project: string;

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'bank-connection-rules-'));
  await symlink(join(root, 'node_modules'), join(project, 'node_modules'));
  for (const file of settings) await copyFile(join(root, file), join(project, file));
  for (const [path, text] of Object.entries(violating)) {
    await mkdir(dirname(join(project, path)), { recursive: true });
    await writeFile(join(project, path), `${text}\n`);
  }
});
afterAll(() => rm(project, { recursive: true, force: true }));

/** A project that violates every rule. */
const violating: Record<string, string> = {
  'src/main.ts':
    "import './service.ts';\nimport './unknown/box.ts';\nimport 'vite';\nimport 'zod';\nprocess.env.PORT;",
  'src/service.ts': "import './domain/connections/read.ts';\nimport './domain/connections/store.ts';",
  'src/platform/values/errors.ts':
    "import type { Key } from '../vault/keys.ts';\nimport type { Plugin } from 'vite';\nexport type E = Key | Plugin;",
  'src/platform/settings/table.ts': 'export const port = process.env.PORT;',
  'src/platform/db/open.ts': "export const open = 1;\nexport type { Knex } from 'knex';",
  'src/platform/vault/keys.ts': "import '../../service.ts';\nexport type Key = 1;\nexport const unused = 1;",
  'src/domain/connections/read.ts': [
    "import type { Knex } from 'knex';",
    "import type { components } from '../../../generated/api.ts';",
    "import type { operations } from '../../../generated/api.ts';",
    "import '../../flows/read/page.ts';",
    'export type A = [Knex, components, operations];',
    'console.log(process.env.PORT);',
    `export const long = () => {\n${'  port();\n'.repeat(71)}};`,
    'const port = () => {};',
  ].join('\n'),
  'src/domain/connections/store.ts': "import type { Knex } from 'knex';\nexport type A = Knex;",
  'src/flows/read/page.ts':
    "import './a.ts';\nimport './index.ts';\nimport '../../domain/users/helpers/money.ts';",
  'src/flows/read/a.ts': "import type { B } from './b.ts';\nexport type A = B;",
  'src/flows/read/b.ts': "import type { A } from './a.ts';\nexport type B = A;",
  'src/flows/read/index.ts': 'export const index = 1;',
  'src/platform/vault/workerBoxes.ts': 'export type Opened = 1;',
  'src/platform/vault/endUserKeys.ts': 'export type EndUserKeys = 1;',
  'src/domain/users/box.ts': "export type { Opened } from '../../platform/vault/workerBoxes.ts';",
  'src/domain/users/keys.ts': "export type { EndUserKeys } from '../../platform/vault/endUserKeys.ts';",
  'src/flows/read/box.ts': "export type { Opened } from '../../platform/vault/workerBoxes.ts';",
  'src/flows/read/user.ts': "export type { Opened } from '../../domain/users/box.ts';",
  'src/flows/read/history.ts': "export type { Merge } from '../merge/plan.ts';",
  'src/flows/read/summary.ts': "export type { Refreshed } from '../../domain/connections/refreshed.ts';",
  'src/interfaces/http/api/listBoxes.ts': "export type { Opened } from '../../../domain/users/box.ts';",
  'src/interfaces/http/api/openBox.ts':
    "export type { Opened } from '../../../platform/vault/workerBoxes.ts';",
  'src/domain/connections/refreshed.ts': "export type { Refreshed } from '../../flows/refresh/job.ts';",
  'src/flows/refresh/job.ts':
    "export type Refreshed = 1;\nexport type { EndUserKeys } from '../../domain/users/keys.ts';",
  'src/flows/merge/plan.ts':
    "export type Merge = 1;\nexport type { EndUserKeys } from '../../platform/vault/endUserKeys.ts';",
  'src/flows/link/done.ts': "export type { Import } from '../import/run.ts';",
  'src/flows/link/later.ts': "export type { Import } from './done.ts';",
  'src/flows/import/run.ts': 'export type Import = 1;',
  'src/flows/refresh/sweep.ts': "import '../../operations/retention/sweep.ts';",
  'src/operations/retention/sweep.ts': "import '../../interfaces/http/app.ts';",
  'src/operations/secrets/secrets.ts': 'export type Secrets = 1;',
  'src/interfaces/http/listen.ts': "import '../../service.ts';",
  'src/interfaces/http/secrets.ts': "export type { Secrets } from '../../operations/secrets/secrets.ts';",
  'src/interfaces/demo/bank.ts': "export type { Knex } from '../../platform/db/open.ts';",
  'src/platform/values/owner.ts': "export const owner = () => import('../../domain/users/unused.ts');",
  'src/domain/users/helpers/money.ts': 'export const money = 1;',
  'src/domain/users/unused.ts': 'export const user = 1;',
  'src/flows/link/start.ts': "import 'express';\nimport '../../../client/index.ts';",
  'src/interfaces/http/api/getAccount.ts':
    "export const later = () => import('../../../platform/db/open.ts');",
  'src/interfaces/http/app.ts':
    "import 'express';\nimport type { paths } from '../../../generated/api.ts';\nexport type A = paths;",
  'src/unknown/box.ts': "import '../platform/values/errors.ts';",
  'widget/page/App.tsx': "import '../../src/platform/values/errors.ts';",
  'client/index.ts': "export type { paths } from '../generated/api.ts';",
  'generated/api.ts': 'export type operations = 1;\nexport type components = 1;\nexport type paths = 1;',
  'dashboard/main.tsx': 'export {};',
  'test/a.test.ts':
    "import { test } from 'vitest';\ntest.skip('later', () => {});\ntest.only('alone', () => {});",
};

type CruiseResult = { summary: { violations: { rule: { name: string }; from: string; to: string }[] } };

const importViolations = async (cwd: string): Promise<string[]> => {
  const folders = ['src', 'widget', 'client', 'dashboard'];
  const output = await run(cwd, 'depcruise', '--output-type', 'json', ...folders);
  const { summary }: CruiseResult = JSON.parse(output);
  return summary.violations
    .map(({ rule, from, to }) => `${rule.name}: ${from} → ${to.replace(/^.*node_modules\//, '')}`)
    .sort();
};

describe('imports, by dependency-cruiser', () => {
  test('violations are found', async () => {
    expect(await importViolations(project)).toEqual([
      'demo: src/interfaces/demo/bank.ts → src/platform/db/open.ts',
      'end-user-keys-of-worker: src/flows/merge/plan.ts → src/platform/vault/endUserKeys.ts',
      'end-user-keys-of-worker: src/flows/refresh/job.ts → src/platform/vault/endUserKeys.ts',
      'end-user-keys: src/domain/users/keys.ts → src/platform/vault/endUserKeys.ts',
      'end-user-keys: src/flows/merge/plan.ts → src/platform/vault/endUserKeys.ts',
      'file-names: src/flows/read/page.ts → src/domain/users/helpers/money.ts',
      'file-names: src/flows/read/page.ts → src/flows/read/index.ts',
      // Each district imports one above it.
      'folder-domain-connections: src/domain/connections/read.ts → src/flows/read/page.ts',
      'folder-domain-connections: src/domain/connections/refreshed.ts → src/flows/refresh/job.ts',
      'folder-flows-link: src/flows/link/done.ts → src/flows/import/run.ts',
      'folder-flows-link: src/flows/link/start.ts → client/index.ts',
      'folder-flows-read: src/flows/read/history.ts → src/flows/merge/plan.ts',
      'folder-flows-refresh: src/flows/refresh/sweep.ts → src/operations/retention/sweep.ts',
      'folder-main.ts: src/main.ts → src/unknown/box.ts',
      'folder-operations-retention: src/operations/retention/sweep.ts → src/interfaces/http/app.ts',
      'folder-platform-values: src/platform/values/errors.ts → src/platform/vault/keys.ts',
      'folder-platform-values: src/platform/values/owner.ts → src/domain/users/unused.ts',
      'folder-platform-vault: src/platform/vault/keys.ts → src/service.ts',
      'folder-widget: widget/page/App.tsx → src/platform/values/errors.ts',
      'http-without-database: src/interfaces/http/api/getAccount.ts → src/platform/db/open.ts',
      'installed-packages: src/main.ts → vite/dist/node/index.js',
      'installed-packages: src/main.ts → zod/index.d.cts',
      'known-folder: src/unknown/box.ts → src/platform/values/errors.ts',
      'no-circular: src/flows/read/a.ts → src/flows/read/b.ts',
      'package-express: src/flows/link/start.ts → express/index.js',
      'package-knex: src/domain/connections/read.ts → knex/knex.js',
      // Directly, and through a third file.
      'worker-out-of-reach: src/flows/link/done.ts → src/flows/import/run.ts',
      'worker-out-of-reach: src/flows/link/later.ts → src/flows/import/run.ts',
      'worker-out-of-reach: src/flows/read/box.ts → src/platform/vault/workerBoxes.ts',
      'worker-out-of-reach: src/flows/read/history.ts → src/flows/merge/plan.ts',
      'worker-out-of-reach: src/flows/read/summary.ts → src/flows/refresh/job.ts',
      'worker-out-of-reach: src/flows/read/user.ts → src/platform/vault/workerBoxes.ts',
      'worker-out-of-reach: src/interfaces/http/api/listBoxes.ts → src/platform/vault/workerBoxes.ts',
      'worker-out-of-reach: src/interfaces/http/api/openBox.ts → src/platform/vault/workerBoxes.ts',
      'worker-out-of-reach: src/interfaces/http/listen.ts → src/service.ts',
      'worker-out-of-reach: src/interfaces/http/secrets.ts → src/operations/secrets/secrets.ts',
    ]);
  });
});

type LintReport = { diagnostics: { category: string; severity: string; location: { path: string } }[] };

const lintErrors = async (cwd: string): Promise<string[]> => {
  const options = ['--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none'];
  const { diagnostics }: LintReport = JSON.parse(await run(cwd, 'biome', 'lint', ...options));
  return diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ category, location }) => `${category.replace(/^lint\/\w+\//, '')}: ${location.path}`)
    .sort();
};

describe('code, by Biome', () => {
  test('violations are found', async () => {
    expect(await lintErrors(project)).toEqual([
      'noConsole: src/domain/connections/read.ts',
      'noExcessiveLinesPerFunction: src/domain/connections/read.ts',
      'noFocusedTests: test/a.test.ts',
      'noProcessEnv: src/domain/connections/read.ts',
      'noProcessEnv: src/platform/settings/table.ts',
      'noRestrictedImports: src/domain/connections/read.ts',
      'noSkippedTests: test/a.test.ts',
    ]);
  });
});

type Names = { name: string }[];
type KnipReport = { issues: { file: string; files: Names; exports: Names; types: Names }[] };

/** The path of each unused file, and `path: name` of each unused export. */
const unusedCode = async (cwd: string): Promise<string[]> => {
  const report: KnipReport = JSON.parse(await run(cwd, 'knip', '--reporter', 'json', '--no-progress'));
  return report.issues
    .flatMap(({ file, files, exports = [], types = [] }) => [
      ...files.map(({ name }) => name),
      ...[...exports, ...types].map(({ name }) => `${file}: ${name}`),
    ])
    .sort();
};

describe('unused code, by knip', () => {
  test('unused files and exports are found', async () => {
    const unused = await unusedCode(project);
    expect(unused).toEqual(
      expect.arrayContaining([
        'src/domain/users/unused.ts',
        'src/platform/vault/keys.ts: unused',
        'src/domain/connections/read.ts: A',
      ]),
    );
    expect(unused).not.toContain('src/platform/vault/keys.ts: Key');
  });
});

type ContractReport = { problems: { ruleId: string }[] };

/** The rules that the contract violates. */
const contractProblems = async (): Promise<string[]> => {
  const args = ['--format=json', '--max-problems=1000', 'test/architecture/faultyContract.yaml'];
  const { problems }: ContractReport = JSON.parse(await run(root, 'redocly', 'lint', ...args));
  return [...new Set(problems.map(({ ruleId }) => ruleId))].sort();
};

describe('contracts, by Redocly', () => {
  test('violations are found', async () => {
    expect(await contractProblems()).toEqual([
      'contracts/array-items',
      'contracts/valid-default',
      'info-contact',
      'no-duplicated-enum-values',
      'no-duplicated-tag-names',
      'no-enum-type-mismatch',
      'no-example-value-and-externalValue',
      'no-invalid-media-type-examples',
      'no-invalid-schema-examples',
      'no-path-trailing-slash',
      'no-required-schema-properties-undefined',
      'no-server-example.com',
      'no-server-trailing-slash',
      'no-unresolved-refs',
      'no-unsafe-markdown',
      'no-unused-components',
      'operation-2xx-response',
      'operation-4xx-response',
      'operation-description',
      'operation-operationId-unique',
      'operation-operationId-url-safe',
      'operation-parameters-unique',
      'operation-singular-tag',
      'operation-summary',
      'operation-tag-defined',
      'parameter-description',
      'path-declaration-must-exist',
      'path-not-include-query',
      'path-parameters-defined',
      'path-params-defined',
      'rule/info-description',
      'rule/operation-id',
      'rule/operation-tags',
      'rule/webhook-servers',
      'security-defined',
      'struct',
      'tag-description',
    ]);
  });
});
