// A database freezes or stops while a list is sent: the rest follows when the database responds again, or the response is broken
// off. An incomplete response never looks complete.
import { expect, test } from 'vitest';
import { createClient } from '../../client/index.ts';
import { afterFile } from '../support/cleanups.ts';
import { startPostgres } from '../support/postgres.ts';
import { ask, linkUser, startFaultService } from './faultHarness.ts';

const transactionCount = 100_000;

test('a list is sent completely after PostgreSQL was frozen, and is broken off if PostgreSQL stops', {
  timeout: 180_000,
}, async () => {
  const server = await startPostgres();
  afterFile(server.stop);
  const service = await startFaultService({ DATABASE_URL: server.url });
  const { connectionId, scopedToken } = await linkUser(service, 'ada', 'large');
  const client = createClient({ baseUrl: service.url, apiKey: service.apiKey, scopedToken });
  const params = { path: { connectionId } };
  const { data } = await client.GET('/connections/{connectionId}/accounts', { params });
  const url = `${service.url}/accounts/${data!.accounts[0]!.id}/transactions`;
  /** Opens the list. Returns the number of its transactions; throws if the response is broken off. */
  const open = async (): Promise<{ count: Promise<number> }> => {
    const headers = { Authorization: `Bearer ${service.apiKey}`, 'X-Scoped-Token': scopedToken };
    const response = await fetch(url, { headers });
    expect(response.status).toBe(200);
    const read = async (): Promise<number> => {
      const { transactions } = (await response.json()) as { transactions: unknown[] };
      return transactions.length;
    };
    return { count: read() };
  };

  const late = await open();
  await server.run('freeze');
  // Each takes as long as a request may wait for its first rows.
  for (const _time of [1, 2]) expect(await ask(service, '/health')).toBe('503, Retry-After');
  await server.run('resume');
  expect(await late.count).toBe(transactionCount);

  const broken = await open();
  const failure = expect(broken.count).rejects.toThrow();
  await server.run('stop');
  await failure;
  await server.run('start');
  await expect.poll(() => ask(service, '/health')).toBe('200');
  expect(await (await open()).count).toBe(transactionCount);
  expect(await service.stop()).toBe(0);
});
