// The client in a real Next.js, whose version 14 caches responses of fetch on disk for a year, even those with `no-store`. Only with
// TEST_ALL, because a build takes long.
import { execFile, spawn } from 'node:child_process';
import { readdir, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { freePort } from '../support/freePort.ts';
import { link, startService } from '../support/testService.ts';

const run = promisify(execFile);
const directory = join(import.meta.dirname, 'next');

describe.runIf(process.env.TEST_ALL)('the client in an application of Next.js', () => {
  test('asks the service each time, and leaves nothing on disk', { timeout: 300_000 }, async () => {
    const service = await startService();
    onTestFinished(() => service.close());
    const { connectionId, scopedToken } = await link(service);
    const output = join(directory, '.next');
    onTestFinished(() => rm(output, { recursive: true, force: true }));
    const PORT = String(await freePort());
    const { apiKey: API_KEY } = service.application;
    const own = {
      BASE_URL: service.url,
      API_KEY,
      SCOPED_TOKEN: scopedToken!,
      PORT,
      NEXT_TELEMETRY_DISABLED: '1',
    };
    const env = { ...process.env, NODE_ENV: 'production', ...own };
    const next = createRequire(join(directory, 'package.json')).resolve('next/dist/bin/next');
    await run(process.execPath, [next, 'build'], { cwd: directory, env });
    const child = spawn(process.execPath, [next, 'start'], { cwd: directory, env, stdio: 'ignore' });
    onTestFinished(() => void child.kill('SIGKILL'));
    const statusOn = async (path: string): Promise<string | undefined> =>
      /<p>(\w+)<\/p>/.exec(await (await fetch(`http://localhost:${PORT}${path}`)).text())?.[1];
    await vi.waitUntil(() => statusOn('/').catch(() => undefined), { timeout: 30_000 });
    expect(await Promise.all(['/', '/plain'].map(statusOn))).toEqual(['active', 'active']);
    const params = { path: { connectionId } };
    await service.client(scopedToken).DELETE('/connections/{connectionId}', { params });
    expect(await statusOn('/')).toBe('revoked');
    // Next.js does cache the response to the page that uses fetch, which proves that this test can fail.
    expect(await statusOn('/plain')).toBe('active');
    expect(await readdir(join(output, 'cache/fetch-cache'))).toHaveLength(1);
  });
});
