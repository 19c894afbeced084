// The packages in their published form: packed, unpacked next to a consumer's program, and used without this repository.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { type FakeService, respondJson, startFakeService } from '../client/fakeService.ts';
import { freePort } from '../support/freePort.ts';
import { contractProgram } from './contractTypes.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../..');
const installed = join(root, 'node_modules');
const compiler = join(installed, 'typescript-7/bin/tsc');

/** A path by conditions, or a list of alternatives. */
type Files = string | { [condition: string]: Files };

type Manifest = {
  name: string;
  version: string;
  main?: string;
  types: string;
  exports: Files;
  typesVersions?: Files;
  dependencies?: Record<string, string>;
  [field: string]: unknown;
};

type Package = { directory: string; dependencies: string[]; consumer: string };

/** Each with a consumer's program, which the compiler checks. */
const packages: Record<string, Package> = {
  '@bank-connection/client': {
    directory: 'client',
    dependencies: ['openapi-fetch'],
    consumer: `
      import { createClient, transactions, unwrap } from '@bank-connection/client';
      const client = createClient({ baseUrl: '', apiKey: '', exactAmounts: true });
      export const { connections } = await unwrap(client.GET('/connections', {}));
      for await (const { amount } of transactions(client, '')) amount satisfies string;
      // @ts-expect-error There is no such path.
      client.GET('/nothing', {});
      import { createManagementClient } from '@bank-connection/client/management';
      const management = createManagementClient({ baseUrl: '', token: '' });
      const path = '/management/organizations/{organizationId}/sandbox/clock';
      const params = { path: { organizationId: '' } };
      const { clock } = await unwrap(management.POST(path, { params, body: { seconds: 1 } }));
      clock.offsetSeconds satisfies number;
      // @ts-expect-error There is no such field.
      management.POST(path, { params, body: { hours: 1 } });`,
  },
  '@bank-connection/js': {
    directory: 'widget/js',
    dependencies: [],
    consumer: `
      import { type ConnectResult, loadServiceConnect } from '@bank-connection/js';
      const service = await loadServiceConnect('https://bank.example.com');
      const onSuccess = ({ connectionId }: ConnectResult) => console.log(connectionId);
      service?.init({ applicationId: 'app_1', onSuccess }).open();
      // @ts-expect-error On a server it is null.
      service.init({ applicationId: 'app_1' });
      // @ts-expect-error There is no such option.
      service?.init({ applicationId: 'app_1', nothing: 1 });`,
  },
  '@bank-connection/react': {
    directory: 'widget/react',
    dependencies: ['@bank-connection/js'],
    consumer: `
      import { createElement } from 'react';
      import { type ConnectResult, ServiceConnectButton, useServiceConnect } from '@bank-connection/react';
      const options = { baseUrl: '', applicationId: '', onSuccess: (_: ConnectResult) => undefined };
      export const Connect = () => {
        const { open } = useServiceConnect(options);
        return createElement(ServiceConnectButton, { ...options, onClick: open, className: 'mine' });
      };
      // @ts-expect-error The application must be named.
      useServiceConnect({ baseUrl: '' });`,
  },
  '@bank-connection/react-native': {
    directory: 'widget/react-native',
    dependencies: [],
    consumer: `
      import { createElement } from 'react';
      import { ServiceConnect, useServiceConnect } from '@bank-connection/react-native';
      export const Connect = () =>
        createElement(ServiceConnect, useServiceConnect({ baseUrl: '', applicationId: '' }).view);
      // @ts-expect-error The application must be named.
      useServiceConnect({ baseUrl: '' });`,
  },
};

const commonJsConsumer = `
  import { type Client, createClient, unwrap } from '@bank-connection/client';
  import { createManagementClient } from '@bank-connection/client/management';
  const client: Client<string> = createClient({ baseUrl: '', apiKey: '', exactAmounts: true });
  export const first = async (): Promise<string | undefined> =>
    (await unwrap(client.GET('/connections', {}))).connections[0]?.id;
  // @ts-expect-error There is no such path.
  client.GET('/nothing', {});
  // @ts-expect-error There is no such path.
  createManagementClient({ baseUrl: '', token: '' }).GET('/nothing', {});`;

let directory: string;
let service: FakeService;
const packageFile = (name: string, path: string): string => join(directory, 'node_modules', name, path);
const read = (path: string): string => readFileSync(path, 'utf8');
const filesOf = (files: Files): string[] =>
  typeof files === 'string' ? [files] : Object.values(files).flatMap(filesOf);
const manifestOf = (name: string): Manifest => JSON.parse(read(packageFile(name, 'package.json')));

beforeAll(async () => {
  service = await startFakeService();
  directory = await mkdtemp(join(tmpdir(), 'packages-'));
  const folders = Object.values(packages).map((one) => `./${one.directory}`);
  const pack = ['pack', ...folders, '--json', '--pack-destination', directory];
  const { stdout } = await run('npm', pack, { cwd: root });
  for (const { name, filename } of JSON.parse(stdout) as { name: string; filename: string }[]) {
    const target = packageFile(name, '');
    await mkdir(target, { recursive: true });
    await run('tar', ['-xzf', join(directory, filename), '-C', target, '--strip-components=1']);
  }
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers']) {
    await cp(join(installed, name), packageFile(name, ''), { recursive: true });
  }
  await mkdir(packageFile('@types', ''));
  for (const name of ['react', 'csstype', '@types/react'])
    await symlink(join(installed, name), packageFile(name, ''));
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }');
}, 60_000);

afterAll(async () => {
  await service.close();
  await rm(directory, { recursive: true, force: true });
});

describe.each(Object.entries(packages))('%s', (name, { dependencies }) => {
  test('contains its license, its README, and its exports with types', () => {
    expect(readdirSync(packageFile(name, '')).sort()).toEqual([
      'LICENSE',
      'README.md',
      'dist',
      'package.json',
    ]);
    expect(read(packageFile(name, 'LICENSE'))).toBe(read(join(root, 'LICENSE')));
    const { main = '', types, exports, typesVersions = {} } = manifestOf(name);
    for (const file of filesOf({ main, types, exports, typesVersions }))
      expect(existsSync(packageFile(name, file)), file).toBe(true);
  });

  test('needs no other packages than these', () => {
    expect(Object.keys(manifestOf(name).dependencies ?? {})).toEqual(dependencies);
  });
});

// Also for every field of every response that the client reads. Bundlers use the same `exports`, so only with TEST_ALL.
test.each(process.env.TEST_ALL ? ['node16', 'nodenext', 'bundler'] : ['node16'])(
  'the types of all packages hold for a consumer (%s)',
  async (moduleResolution) => {
    const program = await mkdtemp(join(directory, 'consumer-'));
    const compilerOptions = {
      // Skips the compiler's own libraries.
      ...{ skipLibCheck: false, skipDefaultLibCheck: true },
      ...{ noEmit: true, strict: true, types: [], target: 'es2022' },
      ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...{ lib: ['es2022', 'dom'], moduleResolution },
      module: moduleResolution === 'bundler' ? 'esnext' : moduleResolution,
    };
    const files = ['reactNative.d.ts', 'contract.ts'];
    const client = '@bank-connection/client';
    const declarations = read(packageFile(client, manifestOf(client).types));
    await writeFile(join(program, files[1]!), contractProgram(declarations));
    // Stands in for the types of React Native, which this repository does not install.
    await cp(join(root, 'widget/react-native/reactNative.d.ts'), join(program, files[0]!));
    for (const [index, { consumer }] of Object.values(packages).entries()) {
      const file = `consumer${index}.ts`;
      files.push(file);
      await writeFile(join(program, file), consumer);
    }
    // CommonJS, in which node16 does not allow importing an ES module.
    if (moduleResolution !== 'bundler') {
      files.push('commonJs.cts');
      await writeFile(join(program, 'commonJs.cts'), commonJsConsumer);
    }
    await writeFile(join(program, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }));
    const { stdout } = await run(process.execPath, [compiler, '-p', program]).catch((error) => error);
    expect(stdout).toBe('');
  },
  60_000,
);

// The Node.js of this repository and that of the machine, if any.
const nodes = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .filter((file) => existsSync(file) && !file.startsWith(installed));

describe.each([process.execPath, ...new Set(nodes)])('on %s', (node) => {
  const outputOf = async (program: string, name = 'program.js'): Promise<string> => {
    const file = join(await mkdtemp(join(directory, 'program-')), name);
    await writeFile(file, program);
    return (await run(node, [file])).stdout;
  };

  test('the client reads transactions', async () => {
    service.nextResponders.push(
      respondJson('{"transactions":[{"amount":-12.50}],"pagination":{"hasMore":false}}'),
    );
    const output = await outputOf(`import { createClient, transactions } from '@bank-connection/client';
      const client = createClient({ baseUrl: '${service.url}', apiKey: 'key', exactAmounts: true });
      for await (const { amount } of transactions(client, 'acc_1')) console.log(amount);`);
    expect(output).toBe('-12.50\n');
  });

  test('the client reads transactions in CommonJS, without an ES module', async () => {
    service.nextResponders.push(
      respondJson('{"transactions":[{"amount":-12.50}],"pagination":{"hasMore":false}}'),
    );
    const output = await outputOf(
      `const { createClient, transactions } = require('@bank-connection/client');
      const { createManagementClient } = require('@bank-connection/client/management');
      const client = createClient({ baseUrl: '${service.url}', apiKey: 'key', exactAmounts: true });
      const main = async () => {
        for await (const { amount } of transactions(client, 'acc_1')) console.log(amount);
        console.log(typeof createManagementClient({ baseUrl: '${service.url}', token: 'ogt_1' }).POST);
        const loaded = Object.values(require.cache).filter(({ filename }) => filename.includes('node_modules'));
        console.log(loaded.length > 9, loaded.filter(({ filename, exports }) =>
          exports[Symbol.toStringTag] === 'Module' || /\\.mjs$/.test(filename)).length);
      };
      main();`,
      'program.cjs',
    );
    expect(output).toBe('-12.50\nfunction\ntrue 0\n');
  });

  test('the widget can be imported on a server, without a page', async () => {
    const output = await outputOf(`import { loadServiceConnect } from '@bank-connection/js';
      import { useServiceConnect } from '@bank-connection/react';
      console.log(await loadServiceConnect('https://bank.example.com'), typeof useServiceConnect);`);
    expect(output).toBe('null function\n');
  });
});

describe('a copy of the examples, next to the packages', () => {
  type ExampleManifest = Record<'scripts' | 'dependencies' | 'devDependencies', Record<string, string>>;
  const manifestOfExample = (name: string): ExampleManifest =>
    JSON.parse(read(join(directory, name, 'package.json')));
  const isSource = (path: string): boolean => !['node_modules', 'dist'].includes(basename(path));
  const imported = /\bfrom '((?:@[\w-]+\/)?[\w-]+)/g;

  beforeAll(async () => {
    for (const name of ['html', 'quickstart', 'react', 'react-native', 'webhooks'])
      await cp(join(root, 'examples', name), join(directory, name), { recursive: true, filter: isSource });
    const types = [
      'node',
      'react-dom',
      'express',
      'express-serve-static-core',
      'serve-static',
      'body-parser',
    ];
    const furtherTypes = ['connect', 'http-errors', 'qs', 'range-parser', 'send'];
    const typePackages = [...types, ...furtherTypes].map((name) => `@types/${name}`);
    for (const name of ['react-dom', 'scheduler', 'vite', 'undici-types', 'express', ...typePackages])
      await symlink(join(installed, name), packageFile(name, ''));
  });

  /** The packed file of one of our packages, and those of its dependencies among ours. */
  const packedFilesOf = (name: string): [name: string, file: string][] =>
    [...(packages[name]?.dependencies ?? []).filter((needed) => needed in packages), name].map((one) => [
      one,
      `dist/packages/${one.slice(1).replace('/', '-')}-${manifestOf(one).version}.tgz`,
    ]);

  test.each(['html', 'quickstart', 'react', 'webhooks'])(
    '%s names the packages that it imports, in the versions tested here or as files that its README names',
    (name) => {
      const { dependencies = {}, devDependencies = {} } = manifestOfExample(name);
      const named = { ...dependencies, ...devDependencies };
      const files = readdirSync(join(directory, name)).filter((file) => /\.tsx?$/.test(file));
      const imports = files
        .flatMap((file) => [...read(join(directory, name, file)).matchAll(imported)])
        .map(([, from]) => from!)
        .filter((from) => from !== 'node');
      const packed = new Map(imports.filter((one) => one in packages).flatMap(packedFilesOf));
      expect(Object.keys(named).sort()).toEqual([...new Set([...imports, ...packed.keys()])].sort());
      const own = JSON.parse(read(join(root, 'package.json'))) as ExampleManifest;
      const tested = { ...own.dependencies, ...own.devDependencies };
      for (const [dependency, version] of Object.entries(named)) {
        const file = packed.get(dependency);
        expect([dependency, version]).toEqual([dependency, file ? `file:../../${file}` : tested[dependency]]);
      }
      const readme = read(join(root, 'examples', name, 'README.md'));
      for (const file of packed.values()) expect(readme).toContain(`REPOSITORY/${file}`);
    },
  );

  test('quickstart reads accounts and transactions', async () => {
    const PORT = String(await freePort());
    const env = { ...process.env, BASE_URL: service.url, APPLICATION_ID: 'app_1', API_KEY: 'key', PORT };
    expect(manifestOfExample('quickstart').scripts.start).toBe('node server.ts');
    const program = spawn(process.execPath, ['server.ts'], { cwd: join(directory, 'quickstart'), env });
    onTestFinished(async () => {
      if (program.exitCode === null && program.kill()) await once(program, 'exit');
    });
    let output = '';
    for (const stream of [program.stdout, program.stderr]) stream.on('data', (text) => (output += text));
    await expect.poll(() => output).toContain('Open http://localhost:');

    service.nextResponders.push(
      respondJson(
        '{"accounts":[{"id":"acc_1","name":"Savings","currency":"EUR","balance":{"current":7.5}}]}',
      ),
      respondJson('{"transactions":[{"amount":-12.50}],"pagination":{"hasMore":false}}'),
    );
    const response = await fetch(`http://127.0.0.1:${PORT}/connected`, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ connectionId: 'con_1', scopedToken: 'sct_1' }),
    });
    expect(await response.text()).toMatch(/Savings: 7\.5 EUR\n.* -12\.50 .*\n {2}1 transactions/);
  });

  test('react can be built', async () => {
    const cwd = join(directory, 'react');
    expect(manifestOfExample('react').scripts.build).toBe('vite build');
    await run(process.execPath, [join(installed, 'vite/bin/vite.js'), 'build'], { cwd });
    const [script] = readdirSync(join(cwd, 'dist/assets'));
    expect(read(join(cwd, 'dist/assets', script!))).toContain('is not the script of a Bank Connection Data');
  });

  test('the types of all hold', async () => {
    const compilerOptions = {
      ...{
        noEmit: true,
        strict: true,
        skipLibCheck: true,
        types: ['node'],
        allowImportingTsExtensions: true,
      },
      ...{ target: 'es2022', lib: ['es2024', 'dom'], module: 'nodenext', jsx: 'react-jsx' },
    };
    // Stands in for the types of React Native, which this repository does not install.
    await cp(join(root, 'widget/react-native/reactNative.d.ts'), join(directory, 'reactNative.d.ts'));
    const include = ['html', 'quickstart', 'react', 'react-native', 'webhooks', '*.d.ts'];
    const settings = { compilerOptions, include };
    await writeFile(join(directory, 'tsconfig.json'), JSON.stringify(settings));
    const { stdout } = await run(process.execPath, [compiler, '-p', directory]).catch((error) => error);
    expect(stdout).toBe('');
  });
});
