// The client as it is published: built by the compiler, without this repository around it.
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeService, startFakeService, respondJson } from './fakeService.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const installed = join(root, 'node_modules');
const compiler = join(installed, 'typescript/bin/tsc');

// The Node of this repository and, where the machine has one of its own, that one too.
const nodes = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .filter((file) => existsSync(file) && !file.startsWith(installed));

let folder: string;
let service: FakeService;
beforeAll(async () => {
  service = await startFakeService();
  folder = await mkdtemp(join(tmpdir(), 'client-package-'));
  const home = join(folder, 'node_modules/@bank-connection/client');
  await mkdir(home, { recursive: true });
  await run(process.execPath, [compiler, '-p', join(root, 'client'), '--outDir', join(home, 'dist')]);
  await cp(join(root, 'client/package.json'), join(home, 'package.json'));
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    await cp(join(installed, name), join(folder, 'node_modules', name), { recursive: true });
  }
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
}, 60_000);
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true, force: true });
});

test('it needs openapi-fetch and nothing else', async () => {
  const { dependencies } = JSON.parse(await readFile(join(root, 'client/package.json'), 'utf8'));
  expect(Object.keys(dependencies)).toEqual(['openapi-fetch']);
});

test.each(['nodenext', 'bundler'])(
  'its types hold for a consumer (%s)',
  async (moduleResolution) => {
    const compilerOptions = {
      // The compiler's own libraries are its makers' to check.
      ...{ skipLibCheck: false, skipDefaultLibCheck: true },
      ...{ noEmit: true, strict: true, types: [], target: 'es2022' },
      ...{ lib: ['es2022', 'dom'], moduleResolution },
      module: moduleResolution === 'bundler' ? 'esnext' : moduleResolution,
    };
    await writeFile(
      join(folder, 'consumer.ts'),
      `import { createClient, transactions, unwrap } from '@bank-connection/client';
     const client = createClient({ baseUrl: '', apiKey: '', exactAmounts: true });
     export const { connections } = await unwrap(client.GET('/connections', {}));
     for await (const { amount } of transactions(client, '')) amount satisfies string;
     // @ts-expect-error There is no such path.
     client.GET('/nothing', {});`,
    );
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['consumer.ts'] }),
    );
    const { stdout } = await run(process.execPath, [compiler, '-p', folder]).catch((error) => error);
    expect(stdout).toBe('');
  },
  60_000,
);

test.each([process.execPath, ...new Set(nodes)])('it runs on %s', async (node) => {
  service.nextResponders.push(
    respondJson('{"transactions":[{"amount":-12.50}],"pagination":{"hasMore":false}}'),
  );
  await writeFile(
    join(folder, 'consumer.js'),
    `import { createClient, transactions } from '@bank-connection/client';
     const client = createClient({ baseUrl: '${service.url}', apiKey: 'key', exactAmounts: true });
     for await (const { amount } of transactions(client, 'acc_1')) console.log(amount);`,
  );
  const { stdout } = await run(node, [join(folder, 'consumer.js')]);
  expect(stdout).toBe('-12.50\n');
});
