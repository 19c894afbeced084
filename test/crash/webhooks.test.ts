// kill -9 while connections change and webhooks are delivered: each change has exactly one event, and each event arrives.
// `npm run test:nightly -- kills` runs 200 kills on each database; kills.test.ts makes a few at random times in every run.
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import { createClient } from '../../client/index.ts';
import type { WebhookDeliveryRow } from '../../src/platform/db/tables.ts';
import { openLinkingPage } from '../page/linkingPage.ts';
import { databases } from '../support/databases.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { makeLoginRows } from './expectedState.ts';
import { type Installation, install } from './installation.ts';
import { makeRefreshDue, type TrackedConnection, untilRefresh } from './refreshWithCrash.ts';

const kills = 200;
const loginRows = 60;

const linkUser = async (installation: Installation, login: string): Promise<TrackedConnection> => {
  const outcome = await openLinkingPage({ installation, username: login }).ended;
  if (outcome.kind !== 'finished') throw new Error(`Linking failed: ${outcome.reason}.`);
  return { result: outcome.result, login, count: loginRows, round: 0 };
};

/** Revokes a connection, retrying while the service is down. */
const revoke = async (installation: Installation, { result }: TrackedConnection): Promise<void> => {
  const params = { path: { connectionId: result.connectionId } };
  const attempt = async (): Promise<boolean> => {
    const client = createClient({ baseUrl: installation.url, apiKey: installation.apiKey, retries: 0 });
    const sent = client.DELETE('/connections/{connectionId}', { params });
    return sent.then(
      ({ response }) => response.status === 204,
      () => false,
    );
  };
  await vi.waitUntil(attempt, { timeout: 45_000, interval: 50 });
};

/** The expected number of events of each type for each connection, according to the rows that the changes left. */
const expectedEvents = (installation: Installation): Promise<Record<string, number>> =>
  installation.query(async ({ read }) => {
    const expected: Record<string, number> = {};
    const add = (type: string, connectionId: string, count = 1): void => {
      if (count > 0) expected[`${type} ${connectionId}`] = (expected[`${type} ${connectionId}`] ?? 0) + count;
    };
    for (const { id, endUserId, revokedAt } of await read('connections').whereNull('deliveryExpiresAt')) {
      add('connection.created', id);
      if (revokedAt) add('connection.revoked', id);
      // The import and each refresh with changes have their own data key.
      const keys = await read('data_keys').where({ endUserId, connectionId: id });
      add('transactions.updated', id, keys.length - 1);
    }
    return expected;
  });

const countEvents = (events: { type: string; connectionId: string | null }[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { type, connectionId } of events) {
    counts[`${type} ${connectionId}`] = (counts[`${type} ${connectionId}`] ?? 0) + 1;
  }
  return counts;
};

const deliveriesOf = (installation: Installation): Promise<WebhookDeliveryRow[]> =>
  installation.query(({ read }) => read('webhook_deliveries').select('*'));

describe.runIf(process.env.TEST_NIGHTLY).each(databases)('on $name', (database) => {
  test('a kill while connections change and webhooks are delivered', { timeout: 1_800_000 }, async () => {
    const receiver = await startReceiver();
    const attempts = new Map<string, number>();
    // Slow, so that kills happen while the worker waits for a response; and the first attempt of some events fails.
    receiver.answer = async (response, { id }) => {
      const attempt = (attempts.get(id) ?? 0) + 1;
      attempts.set(id, attempt);
      await sleep(100);
      const isRefused = attempt === 1 && attempts.size % 4 === 0;
      response.writeHead(isRefused ? 500 : 204).end();
    };
    const installation = await install(database);
    try {
      const logins = ['changing', 'other'];
      await installation.load(logins.flatMap((login) => makeLoginRows(login, [loginRows])));
      await installation.addWebhookEndpoint(receiver.url);
      await installation.start();
      const changing = await linkUser(installation, 'changing');
      let toRevoke = await linkUser(installation, 'other');
      // Each starts a change, and returns a function that waits for its end.
      const changes: (() => Promise<() => Promise<unknown>>)[] = [
        async () => {
          const linking = linkUser(installation, 'other');
          return async () => {
            toRevoke = await linking;
          };
        },
        async () => {
          const revoking = revoke(installation, toRevoke);
          return () => revoking;
        },
        async () => {
          await makeRefreshDue(installation, changing);
          return () => untilRefresh(installation, changing, /published/);
        },
      ];
      for (let kill = 0; kill < kills; kill++) {
        const finish = await changes[kill % changes.length]!();
        // The delay grows, so that kills happen before, during and after the transaction and the delivery.
        await sleep((kill * 37) % 600);
        await installation.kill();
        await installation.start();
        await finish();
      }
      const isDelivered = async (): Promise<boolean> =>
        (await deliveriesOf(installation)).every(({ state }) => state === 'delivered');
      await vi.waitUntil(isDelivered, { timeout: 60_000, interval: 200 });
      const deliveries = await deliveriesOf(installation);
      expect(countEvents(deliveries)).toEqual(await expectedEvents(installation));
      expect(new Set(deliveries.map(({ eventId }) => eventId)).size).toBe(deliveries.length);
      const bodies = new Map(receiver.received.map(({ id, body }) => [id, body]));
      expect(bodies).toEqual(new Map(deliveries.map(({ eventId, body }) => [eventId, body])));
    } finally {
      await installation.close();
    }
  });
});
