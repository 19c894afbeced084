// Forty days in steps: a consumer's copy stays equal to the bank.
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type SyncState, syncTransactions, type Transaction } from '../../client/index.ts';
import type { BankTransaction } from '../../connectors/kit/contract.ts';
import { days } from '../../src/platform/values/clock.ts';
import { canonicalDecimal } from '../../src/platform/values/json.ts';
import { oneDatabase } from '../support/databases.ts';
import { link, startService, type TestService } from '../support/testService.ts';

const users = ['moves', 'rotates', 'twins', 'good'];
/** The number of steps in which the forty days pass. */
const steps = process.env.TEST_ALL ? 8 : 4;

type Copy = {
  accountId: string;
  state: SyncState;
  transactions: Map<string, Transaction>;
};

const toComparable = (
  transaction: Omit<BankTransaction, 'amount' | 'status'> & { amount: string | number; status: string },
): string =>
  JSON.stringify([
    transaction.date,
    canonicalDecimal(String(transaction.amount)),
    transaction.description,
    transaction.reference,
    transaction.status,
  ]);

/** Reads the transactions directly from the bank, without linking. */
const readFromBank = async (service: TestService, username: string): Promise<string[]> => {
  const { registry, clock } = service.service;
  const { connector } = registry.find('sandbox', 'sandbox-bank')!;
  const { organizationId } = service;
  const call = { signal: new AbortController().signal, now: clock.real(), organizationId };
  const credentials = { username, password: 'password' };
  const signedIn = await connector.signIn(
    { institution: { id: 'sandbox-bank' }, credentials, attended: true },
    call,
  );
  if (signedIn.kind !== 'signedIn') throw new Error(`${username} has a challenge.`);
  const reading = await connector.read(signedIn.access, {}, call);
  const { chunks, completeFrom } = await reading.history(reading.accounts[0]!.id);
  const transactions: BankTransaction[] = [];
  for await (const chunk of chunks) transactions.push(...chunk.filter(({ date }) => date >= completeFrom!));
  await reading.end();
  return transactions.map(toComparable).sort();
};

for (const database of oneDatabase) {
  describe(`forty days on ${database.name}`, () => {
    let service: TestService;
    let linked: Awaited<ReturnType<typeof link>>[];
    let copies: Copy[];
    const client = () => service.client(linked[0]!.scopedToken);
    beforeAll(async () => {
      service = await startService({ database });
      linked = [];
      for (const username of users)
        linked.push(
          await link(service, { username, externalUserId: 'ada', accounts: ['Everyday Checking'] }),
        );
      copies = linked.map(({ accounts }) => ({
        accountId: accounts[0]!.id,
        state: {},
        transactions: new Map(),
      }));
    });
    afterAll(() => service.close());

    const sync = async (copy: Copy): Promise<void> => {
      await syncTransactions(client(), copy.accountId, copy.state, {
        pageSize: 100,
        apply: (page, next) => {
          for (const transaction of page) copy.transactions.set(transaction.id, transaction);
          copy.state = next;
        },
      });
    };

    test('every copy equals its bank after every step', async () => {
      const { db, clock } = service.service;
      const allRefreshed = async (): Promise<boolean> => {
        const due = await db.read('jobs').where('due_at', '<=', clock.real().toISOString());
        return due.length === 0;
      };
      for (let step = 0; step < steps; step++) {
        service.advance(days(40 / steps));
        await vi.waitUntil(allRefreshed, { timeout: 30_000 });
        for (const [index, copy] of copies.entries()) {
          await sync(copy);
          const bank = await readFromBank(service, users[index]!);
          // The copy keeps transactions older than those the bank lists.
          const oldest = JSON.parse(bank[0]!)[0];
          const valid = [...copy.transactions.values()].filter(
            ({ status, date }) => status !== 'void' && date >= oldest,
          );
          expect({ user: users[index], transactions: valid.map(toComparable).sort() }).toEqual({
            user: users[index],
            transactions: bank,
          });
        }
      }
    });
  });
}
