// Forty days in steps, as an operator of the Sandbox can have them: a reader's copy stays equal to the bank, and
// what is revoked ends on its day while everything else of the same user goes on.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type SyncState, syncTransactions, type Transaction } from '../../client/index.ts';
import { days, seconds } from '../../src/clock.ts';
import type { BankTransaction } from '../../src/connectors/connector.ts';
import { canonicalDecimal } from '../../src/json.ts';
import { databases } from '../support/databases.ts';
import { link, startService, type TestService } from '../support/testService.ts';

const users = ['moves', 'rotates', 'twins', 'good'];
/** In how many steps the forty days pass. */
const steps = process.env.TEST_ALL ? 8 : 4;

type Copy = { accountId: string; bankAccount: number; state: SyncState; held: Map<string, Transaction> };

const toComparable = (
  entry: Omit<BankTransaction, 'amount' | 'status'> & { amount: string | number; status: string },
): string =>
  JSON.stringify([
    entry.date,
    canonicalDecimal(String(entry.amount)),
    entry.description,
    entry.reference,
    entry.status,
  ]);

/** What the bank shows to somebody who only looks. */
const atTheBank = async (service: TestService, username: string, account: number): Promise<string[]> => {
  const { registry, clock } = service.service;
  const { connector } = registry.find('sandbox', 'sandbox-bank')!;
  const call = { signal: new AbortController().signal, now: clock.now('sandbox') };
  const credentials = { username, password: 'password' };
  const signedIn = await connector.signIn(
    { institutionId: 'sandbox-bank', credentials, attended: true },
    call,
  );
  if (signedIn.kind !== 'signedIn') throw new Error(`${username} is asked something.`);
  const accounts = await connector.accounts(signedIn.access, call);
  const request = { access: signedIn.access, accountId: accounts[account]!.id };
  const { chunks, completeFrom } = await connector.history(request, call);
  const entries: BankTransaction[] = [];
  for await (const chunk of chunks) entries.push(...chunk.filter(({ date }) => date >= completeFrom));
  return entries.map(toComparable).sort();
};

for (const database of databases) {
  describe(`forty days on ${database.name}`, () => {
    let service: TestService;
    let linked: Awaited<ReturnType<typeof link>>[];
    let copies: Copy[];
    const client = () => service.client(linked[0]!.scopedToken);
    beforeAll(async () => {
      service = await startService({ database });
      linked = [];
      for (const username of users) linked.push(await link(service, { username, externalUserId: 'ada' }));
      copies = linked.map(({ accounts }) => ({
        accountId: accounts[0]!.id,
        bankAccount: 0,
        state: {},
        held: new Map(),
      }));
    });
    afterAll(() => service.close());

    const sync = async (copy: Copy): Promise<void> => {
      await syncTransactions(client(), copy.accountId, copy.state, {
        pageSize: 100,
        apply: (page, next) => {
          for (const transaction of page) copy.held.set(transaction.id, transaction);
          copy.state = next;
        },
      });
    };

    test('every copy is equal to its bank after every step', async () => {
      const { db, clock } = service.service;
      const allRefreshed = async (): Promise<boolean> => {
        const due = await db.read('jobs').where('due_at', '<=', clock.now('sandbox').toISOString());
        return due.length === 0;
      };
      for (let step = 0; step < steps; step++) {
        service.advance(days(40 / steps));
        await vi.waitUntil(allRefreshed, { timeout: 30_000 });
        for (const [at, copy] of copies.entries()) {
          await sync(copy);
          const bank = await atTheBank(service, users[at]!, copy.bankAccount);
          // What the bank has stopped showing for its age is still held.
          const oldest = JSON.parse(bank[0]!)[0];
          const live = [...copy.held.values()].filter(
            ({ status, date }) => status !== 'void' && date >= oldest,
          );
          expect({ user: users[at], entries: live.map(toComparable).sort() }).toEqual({
            user: users[at],
            entries: bank,
          });
        }
      }
    });

    test('a revoked connection ends on its day, the others of its user go on', async () => {
      const { connectionId } = linked[1]!;
      const params = { path: { connectionId } };
      const status = async () =>
        (await client().GET('/connections/{connectionId}', { params })).response.status;
      await client().DELETE('/connections/{connectionId}', { params });
      service.advance(days(29));
      expect(await status()).toBe(200);
      const account = { path: { accountId: copies[1]!.accountId } };
      const read = async () =>
        (await client().GET('/accounts/{accountId}/transactions', { params: account })).response.status;
      expect(await read()).toBe(200);
      service.advance(days(1) + seconds(1));
      expect(await status()).toBe(404);
      expect(await read()).toBe(404);
      const { data } = await client().GET('/connections');
      const others = linked.filter((one) => one.connectionId !== connectionId);
      expect(data!.connections.map(({ id }) => id)).toEqual(others.map((one) => one.connectionId));
    });
  });
}
