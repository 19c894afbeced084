// npm run capture-statements: runs the tests and writes the statements of this version of the service to
// test/db/statements, so that later versions prove that it runs on their schema. Further arguments replace the folders.
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { schemaVersion } from '../src/db/migrations/migrations.ts';
import { isOwnStatement } from '../test/support/statements.ts';

/** Whose tests make statements of their own, which the service never makes, or run on other versions of Node. */
const excluded = ['test/architecture', 'test/db', 'test/packages', 'test/support', 'test/tampering'];

const root = join(import.meta.dirname, '..');
const directory = join(root, 'test/db/statements');
const captured = await mkdtemp(join(tmpdir(), 'statements-'));
const loader = pathToFileURL(join(root, 'test/support/captureStatements.ts')).href;
const files = process.argv.slice(2);
const { status } = spawnSync(
  process.execPath,
  [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    ...files,
    ...excluded.map((folder) => `--exclude=${folder}/**`),
  ],
  {
    env: { ...process.env, TEST_ALL: '1', CAPTURE_STATEMENTS: captured, NODE_OPTIONS: `--import=${loader}` },
    stdio: 'inherit',
  },
);
if (status !== 0) process.exit(status ?? 1);

type Captured = { dialect: 'sqlite' | 'postgres'; sql: string };
const texts = await Promise.all(
  (await readdir(captured)).map((name) => readFile(join(captured, name), 'utf8')),
);
const lines = new Set(texts.join('').split('\n').filter(Boolean));
const statements = [...lines]
  .map((line) => JSON.parse(line) as Captured)
  .filter(({ sql }) => isOwnStatement(sql));
await mkdir(directory, { recursive: true });
for (const dialect of ['sqlite', 'postgres'] as const) {
  const own = statements.filter((statement) => statement.dialect === dialect).map(({ sql }) => `${sql};\n`);
  await writeFile(join(directory, `${schemaVersion}.${dialect}.sql`), own.sort().join(''));
  console.log(`${own.length} statements for ${dialect}.`);
}
await rm(captured, { recursive: true });
