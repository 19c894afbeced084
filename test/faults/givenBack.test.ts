// A process that is killed while it is revoking a consent at the bank.
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { withDatabase } from '../../src/platform/db/open.ts';
import { afterFile } from '../support/cleanups.ts';
import { runCli, temporaryDirectory } from '../support/cli.ts';
import { databases } from '../support/databases.ts';
import { hostOrigin, link } from '../support/testService.ts';
import { withTunables } from '../support/tunables.ts';
import { ask, startFaultService } from './faultHarness.ts';

/** A bank whose responses come from the test. */
const startBank = async () => {
  const told: { path: string; response: ServerResponse }[] = [];
  const server = createServer(({ url, method }, response) => {
    told.push({ path: `${method} ${url}`, response });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.closeAllConnections());
  onTestFinished(() => void server.close());
  return { told, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
};

test.each(databases)('another process retries the revocation within a minute, on $name', async (kind) => {
  const bank = await startBank();
  const database = await kind.create();
  const directory = await temporaryDirectory();
  afterFile(async () => {
    await database.drop();
    await directory.remove();
  });
  const settings = {
    ...{ DATA_DIR: join(directory.path, 'data'), DATABASE_URL: database.url, BANK_URL: bank.url },
    CONNECTORS: fileURLToPath(new URL('givingBank.ts', import.meta.url)),
    ...withTunables({ leaseSeconds: 1, revocationPollMs: 20 }),
  };
  const first = await startFaultService(settings);
  const create = ['--name', 'Shop', '--environment', 'production', '--origin', hostOrigin];
  const run = async (...args: string[]) => JSON.parse((await runCli(settings, ...args, '--json')).out);
  const { applicationId: id } = await run('applications', 'create', ...create);
  const { apiKey, keyId } = await run('api-keys', 'create', '--application', id, '--name', 'backend');
  const application = { id, apiKey, keyId };
  const values = { password: 'password' };
  const options = { institutionId: 'north-bank', values };
  const { connectionId } = await link({ url: first.url, application }, options);
  const revoked = await ask({ url: first.url, apiKey }, `/connections/${connectionId}`, {
    method: 'DELETE',
  });
  expect(revoked).toBe('204');
  await vi.waitUntil(() => bank.told.length === 1, { timeout: 30_000 });
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');

  await startFaultService(settings);
  await vi.waitUntil(() => bank.told.length === 2, { timeout: 60_000 });
  bank.told[1]!.response.end();
  const left = () =>
    withDatabase(database.url, (db) => db.read('consent_revocations').where({ id: connectionId }));
  await expect.poll(left, { timeout: 30_000 }).toEqual([]);
  expect(bank.told.map(({ path }) => path)).toEqual(['DELETE /consent-1', 'DELETE /consent-1']);
});
