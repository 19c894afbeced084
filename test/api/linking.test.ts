// The shortest way from a username to a page of transactions, on both databases.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../databases.ts';
import { link, startService, type TestService } from '../harness.ts';

for (const database of databases) {
  describe(`linking on ${database.name}`, () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService({ database });
    });
    afterAll(() => service.close());

    test('a user who answers a security code has a connection with accounts and transactions', async () => {
      const linked = await link(service, { username: 'otp', answers: ['123456'] });
      const client = service.client(linked.scopedToken);
      const { data: list } = await client.GET('/connections');
      expect(list?.connections.map(({ id }) => id)).toEqual([linked.connectionId]);
      const path = { connectionId: linked.connectionId };
      const { data: accounts } = await client.GET('/connections/{connectionId}/accounts', {
        params: { path },
      });
      expect(accounts?.accounts.map(({ id }) => id)).toEqual(linked.accounts.map(({ id }) => id));
      const { data: page, error } = await client.GET('/accounts/{accountId}/transactions', {
        params: { path: { accountId: linked.accounts[0]!.id }, query: { limit: 10 } },
      });
      expect(error).toBeUndefined();
      expect(page?.transactions).toHaveLength(10);
      expect(page?.pagination.hasMore).toBe(true);
    });
  });
}
