// Tests how rows from banks are converted.
import { describe, expect, test } from 'vitest';
import { type FakeTransaction, fakeTransaction } from './fakeProvider/account.ts';
import { daysBefore, historyOf, linesOf, minutes, noon, read, refresh, startWith, today } from './fixture.ts';

const yesterday = daysBefore(1);
const inAnHour = new Date(noon.getTime() + 60 * minutes).toISOString();
const linesFrom = async (...parts: Parameters<typeof startWith>) =>
  linesOf(await historyOf(await read(await startWith(...parts))));
const euros = (amount: string) => ({ currency: 'EUR', amount });

describe('ids', () => {
  const two = ['a', 'b'].map((name) => fakeTransaction(`reference ${name}`, today));

  test('are the entry references of the bank', async () => {
    const lines = await linesFrom(two);
    expect(lines.map((line) => line.split(' ').slice(0, 2).join(' '))).toEqual([
      'reference a',
      'reference b',
    ]);
  });

  test.each(['zero', 'positional'] as const)(
    'are not those of a bank whose references are %s',
    async (references) => {
      const lines = await linesFrom(two, { references });
      expect(lines).toEqual([
        `- ${today} -1.00 Corner Pantry reference a posted`,
        `- ${today} -1.00 Corner Pantry reference b posted`,
      ]);
    },
  );

  test.each(['newEachTime', 'missingAtFirst'] as const)(
    'that are %s change nothing else, so that the service knows the payments by their content',
    async (references) => {
      const twoNew = two.map((row) => ({ ...row }));
      const service = await startWith(twoNew, { references });
      const deliveries = [await historyOf(await refresh(service)), await historyOf(await refresh(service))];
      const [first, second] = deliveries.map(({ transactions }) => transactions);
      expect(second!.map(({ id }) => id)).not.toEqual(first!.map(({ id }) => id));
      const contents = deliveries.map(({ transactions }) =>
        transactions.map(({ id: _, ...content }) => content),
      );
      expect(contents[1]).toEqual(contents[0]);
    },
  );

  test('are never the ids for details, which are not unique', async () => {
    const lines = await linesFrom(two, { leavesOut: ['entry_reference'] });
    expect(lines.every((line) => line.startsWith('- '))).toBe(true);
  });

  test('that two payments share are none', async () => {
    const same = ['10.00', '20.00'].map((amount) =>
      fakeTransaction('mandate 1', today, { transaction_amount: euros(amount) }),
    );
    expect(await linesFrom(same)).toEqual([
      `- ${today} -10.00 Corner Pantry mandate 1 posted`,
      `- ${today} -20.00 Corner Pantry mandate 1 posted`,
    ]);
  });
});

describe('payments', () => {
  const equal = (reference: string, balance?: string): FakeTransaction =>
    fakeTransaction(reference, today, {
      remittance_information: ['Coffee'],
      ...(balance && { balance_after_transaction: euros(balance) }),
    });

  test('that are equal are two, with and without different balances after them', async () => {
    const lines = [
      `first ${today} -1.00 Corner Pantry Coffee posted`,
      `second ${today} -1.00 Corner Pantry Coffee posted`,
    ];
    expect(await linesFrom([equal('first', '9.00'), equal('second', '8.00')])).toEqual(lines);
    expect(await linesFrom([equal('first'), equal('second')])).toEqual(lines);
  });

  test('under two references are one, as the balance after them tells', async () => {
    expect(await linesFrom([equal('first', '9.00')], { sendsTwice: true })).toHaveLength(1);
  });

  test('that lead to the same balance are two where a payment between them restores it', async () => {
    const back = fakeTransaction('back', today, {
      ...{ credit_debit_indicator: 'CRDT', balance_after_transaction: euros('10.00') },
    });
    expect(await linesFrom([equal('first', '9.00'), back, equal('second', '9.00')])).toHaveLength(3);
  });

  test('that are posted again with another text or amount come in the place of the first ones', async () => {
    const first = { ...fakeTransaction('authorized', yesterday), deliveredUntil: inAnHour };
    const again = {
      ...fakeTransaction('presented', today, { transaction_amount: euros('1.05') }),
      deliveredFrom: inAnHour,
    };
    const service = await startWith([first, again]);
    expect(linesOf(await historyOf(await refresh(service)))).toEqual([
      `authorized ${yesterday} -1.00 Corner Pantry authorized posted`,
    ]);
    service.clock.now += 60 * minutes;
    const { completeFrom, ...history } = await historyOf(await refresh(service));
    expect(linesOf(history)).toEqual([`presented ${today} -1.05 Corner Pantry presented posted`]);
    expect(completeFrom! <= yesterday).toBe(true);
  });

  test('that are pending come once more when they are posted, and rejected or scheduled ones not at all', async () => {
    const statuses = ['PDNG', 'HOLD', 'RJCT', 'CNCL', 'SCHD', 'OTHR'] as const;
    const others = statuses.map((status) => fakeTransaction(`in ${status}`, today, { status }));
    const posted = fakeTransaction('in BOOK', today, { deliveredFrom: inAnHour });
    others[0]!.deliveredUntil = inAnHour;
    const service = await startWith([...others, posted]);
    const statusesOf = async () =>
      (await historyOf(await refresh(service))).transactions.map(({ id, status }) => `${id} ${status}`);
    expect(await statusesOf()).toEqual(['in PDNG pending', 'in HOLD pending']);
    service.clock.now += 60 * minutes;
    expect(await statusesOf()).toEqual(['in HOLD pending', 'in BOOK posted']);
  });

  test('are listed once while they post, under the one reference of both rows', async () => {
    const both = (['PDNG', 'BOOK'] as const).map((status) => fakeTransaction('one', today, { status }));
    expect(await linesFrom(both)).toEqual([`one ${today} -1.00 Corner Pantry one posted`]);
  });

  test('of a day come in the order in which they were made, whether the bank lists the newest first or last', async () => {
    const made = ['a', 'b', 'c'].map((name, index) =>
      fakeTransaction(`of ${name}`, daysBefore(index > 0 ? 0 : 1)),
    );
    const pending = fakeTransaction('of d', today, { status: 'PDNG' });
    const service = await startWith([...made, pending]);
    const orderOf = async () => {
      const { transactions } = await historyOf(await refresh(service));
      return transactions.map(({ id, status }) => `${id} ${status}`);
    };
    const posted = ['of a posted', 'of b posted', 'of c posted'];
    expect(await orderOf()).toEqual([...posted, 'of d pending']);
    service.provider.intercept = ({ operationId }) =>
      operationId === 'getTransactions'
        ? { status: 200, body: { transactions: [pending, ...made] } }
        : undefined;
    expect(await orderOf()).toEqual(['of d pending', ...posted]);
  });
});

describe('days', () => {
  test('are those of booking, else of value, else of the payment', async () => {
    const dates = { booking_date: today, value_date: yesterday, transaction_date: daysBefore(2) };
    const row = fakeTransaction('one', today, dates);
    const dayWithout = async (...leavesOut: (keyof FakeTransaction & keyof typeof dates)[]) =>
      (await linesFrom([row], { leavesOut }))[0]!.split(' ')[1];
    expect(await dayWithout()).toBe(today);
    expect(await dayWithout('booking_date')).toBe(yesterday);
    expect(await dayWithout('booking_date', 'value_date')).toBe(daysBefore(2));
  });

  test('are left to the service where a bank sends none, and such a payment is pending', async () => {
    const leavesOut = ['booking_date', 'value_date', 'transaction_date'] as const;
    const lines = await linesFrom([fakeTransaction('one', today)], { leavesOut: [...leavesOut] });
    expect(lines).toEqual(['one - -1.00 Corner Pantry one pending']);
  });
});

describe('amounts and texts', () => {
  test('have the sign of the indicator, with or without a sign in the amount', async () => {
    const out = fakeTransaction('out', yesterday);
    const zero = fakeTransaction('zero', yesterday, { transaction_amount: euros('0.00') });
    const into = fakeTransaction('into', today, { credit_debit_indicator: 'CRDT', debtor: { name: 'Ben' } });
    const lines = [
      `out ${yesterday} -1.00 Corner Pantry out posted`,
      `zero ${yesterday} 0.00 Corner Pantry zero posted`,
      `into ${today} 1.00 Ben into posted`,
    ];
    expect(await linesFrom([out, zero, into])).toEqual(lines);
    expect(await linesFrom([out, zero, into], { signsDebits: true })).toEqual(lines);
  });

  test('in another currency than that of the account make it incomplete', async () => {
    const dollars = { transaction_amount: { currency: 'USD', amount: '1.00' } };
    const failed = linesFrom([fakeTransaction('one', today, dollars)]);
    await expect(failed).rejects.toMatchObject({ reason: 'incomplete' });
  });

  test('have the name from the address where it is nowhere else, and no names of fields', async () => {
    const plain = [`one ${today} -1.00 Corner Pantry one posted`];
    const row = fakeTransaction('one', today);
    expect(await linesFrom([row], { namesInAddress: true })).toEqual(plain);
    expect(await linesFrom([row], { remittancePrefix: 'mandatereference:' })).toEqual(plain);
    const prefix = 'mandatereference:,creditorid:,remittanceinformation:';
    expect(await linesFrom([row], { remittancePrefix: prefix })).toEqual(plain);
  });

  test('are what the bank calls the payment where it names no party and no purpose', async () => {
    const bare = (more: Partial<FakeTransaction>) =>
      fakeTransaction('one', today, { creditor: null, remittance_information: null, ...more });
    const textOf = async (row: FakeTransaction) =>
      (await linesFrom([row]))[0]!.split(' ').slice(3, -1).join(' ');
    expect(await textOf(bare({ note: 'Fee' }))).toBe('Fee');
    expect(await textOf(bare({ bank_transaction_code: { description: 'Card payment' } }))).toBe(
      'Card payment',
    );
    expect(await textOf(bare({ reference_number: 'RF18' }))).toBe('RF18');
    expect(await textOf(bare({ reference_number: 'NOTPROVIDED' }))).toBe('');
  });
});
