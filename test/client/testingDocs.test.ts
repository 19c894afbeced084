// The programs in docs/testing.md and client/README.md work against a running service, without a browser.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { linkSandbox } from '../../client/index.ts';
import { createMember, createToken } from '../http/dashboard/users.ts';
import { temporaryDirectory } from '../support/cli.ts';
import { programEnv } from '../support/environment.ts';
import { freePort } from '../support/freePort.ts';
import { startService } from '../support/testService.ts';

const projectRoot = fileURLToPath(new URL('../..', import.meta.url));

test('the example in docs/testing.md passes', { timeout: 60_000 }, async () => {
  const service = await startService({
    systemTime: true,
    env: { ALLOWED_NETWORKS: '127.0.0.1' },
    limits: { webhookPollMs: 50 },
  });
  onTestFinished(service.close);
  const { id } = await service.addApplication({ origins: ['http://localhost:8080'] });
  const { apiKey } = await service.addKey(id);
  const { path: directory, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const document = await readFile(join(projectRoot, 'docs/testing.md'), 'utf8');
  const [, example] = /```js\n([\s\S]*?)```/.exec(document)!;
  const owner = await createMember(service, { role: 'owner', email: 'owner@example.com' });
  const { secret: token } = await createToken(owner, service.organizationId, {
    role: 'developer',
    scopes: ['read', 'webhooks', 'connections', 'sandbox'],
  });
  const client = (name: string) => new URL(`../../client/${name}.ts`, import.meta.url).href;
  const file = join(directory, 'consumer.test.mjs');
  const source = example!
    .replace("'@bank-connection/client'", `'${client('index')}'`)
    .replace("'@bank-connection/client/management'", `'${client('management')}'`);
  await writeFile(file, source);
  const child = spawn(process.execPath, ['--test', file], {
    env: {
      ...{ ...programEnv, HOME: directory, LOG_LEVEL: 'error' },
      ...{ BASE_URL: service.url, APPLICATION_ID: id, API_KEY: apiKey, MANAGEMENT_TOKEN: token },
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (text) => {
      output += text;
    });
  }
  const [code] = await once(child, 'close');
  expect(code, output).toBe(0);
  expect(output).toMatch(/pass 3\b/);
});

test('the backend in client/README.md stores the token and prints the transactions', async () => {
  const service = await startService();
  onTestFinished(service.close);
  const { id } = await service.addApplication({ origins: ['http://localhost:4000'] });
  const { apiKey } = await service.addKey(id);
  const { path: directory, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const document = await readFile(join(projectRoot, 'client/README.md'), 'utf8');
  const [, example] = /```js\n([\s\S]*?)```/.exec(document)!;
  const port = await freePort();
  const client = new URL('../../client/index.ts', import.meta.url).href;
  const program = example!.replace("'@bank-connection/client'", `'${client}'`).replace('4000', String(port));
  await writeFile(join(directory, 'server.mjs'), program);
  await writeFile(join(directory, 'index.html'), 'The page.');
  const env = { ...programEnv, BASE_URL: service.url, API_KEY: apiKey };
  const child = spawn(process.execPath, ['server.mjs'], { cwd: directory, env });
  onTestFinished(async () => {
    if (child.kill()) await once(child, 'close');
  });
  let output = '';
  child.stdout.on('data', (text) => (output += text));
  const url = `http://127.0.0.1:${port}`;
  await expect
    .poll(() =>
      fetch(url).then(
        (response) => response.text(),
        () => '',
      ),
    )
    .toBe('The page.');
  const origin = 'http://localhost:4000';
  const result = await linkSandbox({ baseUrl: service.url, applicationId: id, origin, user: 'good' });
  await fetch(url, { method: 'POST', body: JSON.stringify(result) });
  expect(await readFile(join(directory, 'user-42.token'), 'utf8')).toBe(result.scopedToken);
  expect(output).toMatch(/^Everyday Checking -?[\d.]+ EUR\n\d{4}-\d\d-\d\d -?[\d.]+ \S/);
});
