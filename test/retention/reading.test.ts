// The retention of a connection ends while its list is read: an incomplete response must not look complete.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAccounts, readAccountsWithRef } from '../../src/flows/read/accounts.ts';
import { openGrant, type ReadGrant, readGrantRows } from '../../src/flows/read/authorize.ts';
import type { TransactionListQuery } from '../../src/flows/read/cursor.ts';
import { listTransactions } from '../../src/flows/read/listTransactions.ts';
import { createSimplefinAccess } from '../../src/flows/simplefin/accesses.ts';
import { makeFairScheduler } from '../../src/platform/loops/fairScheduler.ts';
import { days } from '../../src/platform/values/clock.ts';
import { Forbidden, InvalidScopedToken } from '../../src/platform/values/errors.ts';
import type { JsonStream } from '../../src/platform/values/json.ts';
import { parseScopedToken } from '../../src/platform/vault/scopedToken.ts';
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

    /** The grant of a request that began before the end of the retention. */
    const openGrantNow = async (): Promise<ReadGrant> => {
      const { db, clock, config } = service.service;
      const { endUserId, secret } = parseScopedToken(linked.scopedToken)!;
      const { organizationId } = service;
      const application = { id: service.application.id, environment: 'sandbox', organizationId } as const;
      const read = await readGrantRows(db, { endUserId, accountId: linked.accountIds[0]! });
      return openGrant(read, secret, application.id, { clock, application, limits: config.limits });
    };
    const list = (grant: ReadGrant, query: TransactionListQuery) => {
      const { db, secrets } = service.service;
      const options = {
        ...{ cursorKeys: secrets.cursors, chunkRows: 5, yieldTurn: makeFairScheduler() },
        ahead: undefined,
      };
      return listTransactions(db, grant, { accountId: linked.accountIds[0]!, query }, options);
    };
    const startList = async (grant: ReadGrant): Promise<AsyncIterator<Buffer>> =>
      ((await list(grant, {})) as JsonStream).items[Symbol.asyncIterator]() as AsyncIterator<Buffer>;

    const countItems = (chunk: Buffer): number => JSON.parse(`[${chunk}]`).length;

    test('a response that began before the end fails instead of looking complete', async () => {
      const complete = await startList(await openGrantNow());
      const interrupted = await startList(await openGrantNow());
      const notBegun = await startList(await openGrantNow());
      const grant = await openGrantNow();
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
      const { db } = service.service;
      const queries = [{ limit: 5 }, { limit: 5, refreshedSince: 'txr_00000000000000000000000000' }];
      const reading = [
        notBegun.next().then(() => notBegun.next()),
        ...queries.map((query) => list(grant, query)),
        listAccounts(db, grant, linked.connectionId),
        readAccountsWithRef(db, grant, grant.connections[0]!),
        createSimplefinAccess(service.service, grant, { label: 'late', accountIds: undefined }),
      ];
      const results = await Promise.allSettled(reading);
      const refused = [Forbidden, InvalidScopedToken];
      const outcomes = results.map(({ status, ...rest }) =>
        'reason' in rest && refused.some((Kind) => rest.reason instanceof Kind) ? 'refused' : status,
      );
      expect(outcomes).toEqual(reading.map(() => 'refused'));
      expect(await db.read('simplefin_accesses')).toEqual([]);
      const owned = await db.read('resource_owners').where({ endUserId: linked.endUserId });
      expect(owned).toEqual([]);
    });
  });
}
