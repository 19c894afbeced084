// Reading a list while the retention of its connection ends: an incomplete response must not look complete.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { days } from '../../src/clock.ts';
import { Forbidden } from '../../src/errors.ts';
import type { JsonStream } from '../../src/json.ts';
import { makeFairScheduler } from '../../src/loops/fairScheduler.ts';
import { openGrant, readGrantRows } from '../../src/read/authorize.ts';
import { listTransactions } from '../../src/read/listTransactions.ts';
import { parseScopedToken } from '../../src/vault/scopedToken.ts';
import { databases } from '../support/databases.ts';
import {
  type LinkedUser,
  linkAll,
  revoke,
  startRetentionService,
  sweepNow,
  type TestService,
} from './fixture.ts';

for (const database of databases) {
  describe(`reading on ${database.name} while the retention ends`, () => {
    let service: TestService;
    let linked: LinkedUser;
    beforeAll(async () => {
      service = await startRetentionService(database);
      linked = await linkAll(service, { username: 'usd' });
      await service.service.worker!.stop();
      await revoke(service, linked);
    });
    afterAll(() => service.close());

    const startList = async (): Promise<AsyncIterator<Buffer>> => {
      const { db, clock, secrets, config } = service.service;
      const { endUserId, secret } = parseScopedToken(linked.scopedToken)!;
      const { retentionDays } = config.limits;
      const { organizationId } = service;
      const application = { id: service.application.id, environment: 'sandbox', organizationId } as const;
      const retention = { clock, application, retentionDays };
      const accountId = linked.accountIds[0]!;
      const rows = await readGrantRows(db, { endUserId, accountId });
      const grant = openGrant(rows, secret, rows[0]!.applicationId, retention);
      const request = { accountId, query: {} };
      const options = { cursorKeys: secrets.cursors, chunkRows: 5, yieldTurn: makeFairScheduler() };
      const list = await listTransactions(db, grant, request, options);
      return (list as JsonStream).items[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
    };

    const countItems = (chunk: Buffer): number => JSON.parse(`[${chunk}]`).length;

    test('a list that began before the end fails instead of ending', async () => {
      const complete = await startList();
      const interrupted = await startList();
      let count = 0;
      for (let next = await complete.next(); !next.done; next = await complete.next())
        count += countItems(next.value);
      expect(count).toBeGreaterThan(10);
      expect(countItems((await interrupted.next()).value)).toBe(5);
      service.advance(days(30) + 1000);
      await sweepNow(service);
      const readRest = async (): Promise<void> => {
        while (!(await interrupted.next()).done);
      };
      await expect(readRest()).rejects.toBeInstanceOf(Forbidden);
    });
  });
}
