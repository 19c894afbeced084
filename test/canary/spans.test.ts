// Spans that the documented preload file exports contain no data of a user, of the database or of a request.
import { describe, expect, test } from 'vitest';
import { startCollector } from '../signals/collector.ts';
import { startTracedService, traceTo } from '../signals/tracedService.ts';
import { oneDatabase } from '../support/databases.ts';
import { link } from '../support/testService.ts';
import { startReceiver } from '../webhooks/receiver.ts';
import { sandboxUser, textsOf, writeSandboxUser } from './fixture.ts';
import { provokeRefusals } from './provokeErrors.ts';
import { type Canary, findCanaries } from './scanner.ts';

const manyRequests = '1000000';
const noLimits = {
  ...{ API_REQUESTS_PER_MINUTE: manyRequests, WIDGET_REQUESTS_PER_MINUTE: manyRequests },
  AUTH_FAILURES_PER_MINUTE: manyRequests,
};

for (const database of oneDatabase) {
  describe(`spans on ${database.name}`, () => {
    test('a linked and refreshed user, webhooks and refused requests leave no canary with the collector', async () => {
      const collector = await startCollector();
      const receiver = await startReceiver();
      const service = await startTracedService({ ...traceTo(collector.url), ...noLimits }, database);
      const { application: shop, settings, run, url } = service;
      const hookUrl = `${receiver.url}/canary-path`;
      const hook = await run('webhooks', 'create', '--application', shop.id, '--url', hookUrl);
      await run('sandbox', 'load', await writeSandboxUser(settings.DATA_DIR!));
      const linked = await link(service, { ...sandboxUser, externalUserId: 'canary-external-user' });
      const { connectionId, scopedToken, session } = linked;
      const [account] = linked.accounts;
      const headers = { Authorization: `Bearer ${shop.apiKey}`, 'X-Scoped-Token': scopedToken! };
      const paths = [
        '/connections',
        `/connections/${connectionId}/accounts`,
        `/accounts/${account!.id}/transactions`,
      ];
      for (const path of paths) expect((await fetch(url + path, { headers })).status).toBe(200);
      await run('sandbox', 'advance', '--days', '1');
      await collector.waitFor(({ name }) => name === 'refresh connection');
      await receiver.waitForType('connection.created');

      const texts = { ...sandboxUser, secret: session.secret, token: scopedToken!, key: shop.apiKey };
      const user = { shop, linked: { production: linked } };
      const refusals = await provokeRefusals(url, user, Object.values(texts));
      expect(refusals.length).toBeGreaterThan(100);
      expect(await service.stop()).toBe(0);

      const ids = { connectionId, account: account!.id, session: session.id, application: shop.id };
      const others = { hook: hook.secret!, path: 'canary-path', user: 'canary-external-user', ...ids };
      const canaries: Canary[] = textsOf('user', { ...texts, ...others });
      const received = Buffer.from(collector.requests.map(({ text }) => text).join('\n'));
      expect(findCanaries(received, canaries)).toEqual([]);
      const names = new Set(collector.spans().map(({ name }) => name));
      for (const name of ['import connection', 'bank sign in', 'deliver webhook'])
        expect(names).toContain(name);
      expect(names).toContain('GET /accounts/{accountId}/transactions');
    });
  });
}
