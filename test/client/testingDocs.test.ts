// The test of a consumer in docs/testing.md passes against a running service, without a browser.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { cliSettingsOf, temporaryDirectory } from '../support/cli.ts';
import { programEnv } from '../support/environment.ts';
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
  const client = new URL('../../client/index.ts', import.meta.url).href;
  const file = join(directory, 'consumer.test.mjs');
  await writeFile(file, example!.replace("'@bank-connection/client'", `'${client}'`));
  const child = spawn(process.execPath, ['--test', file], {
    env: {
      ...{ ...programEnv, HOME: directory, LOG_LEVEL: 'error' },
      ...cliSettingsOf(service.service.config),
      ALLOWED_NETWORKS: '127.0.0.1',
      ...{ BASE_URL: service.url, APPLICATION_ID: id, API_KEY: apiKey, SERVICE: projectRoot },
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
  expect(output).toMatch(/pass 2\b/);
});
