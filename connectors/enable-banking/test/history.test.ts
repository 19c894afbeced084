// Tests of an account's history: the days and pages that are read, and the requests for them.
import { describe, expect, test } from 'vitest';
import { type FakeAccount, fakeTransaction } from './fakeProvider/account.ts';
import {
  daysBefore,
  historyOf,
  linesOf,
  minutes,
  read,
  refresh,
  startWith,
  today,
  transactionQueries,
} from './fixture.ts';

const rows = [400, 100, 40, 2, 0].map((count) => fakeTransaction(`row ${count}`, daysBefore(count)));
const referencesOf = ({ transactions }: Awaited<ReturnType<typeof historyOf>>) =>
  transactions.map(({ description }) => description.replace('Corner Pantry ', ''));

describe('the first history', () => {
  test('is the longest one, and is complete from its oldest transaction on', async () => {
    const service = await startWith(rows);
    const history = await historyOf(await read(service));
    expect(referencesOf(history)).toEqual(['row 400', 'row 100', 'row 40', 'row 2', 'row 0']);
    expect(history).toMatchObject({ completeFrom: daysBefore(400), completeTo: today });
    expect(transactionQueries(service)).toEqual([{ strategy: 'longest' }, { date_from: today }]);
  });

  test('has the newest days, too, where the longest one lacks them', async () => {
    const service = await startWith(rows, { longestLagsDays: 3 });
    const history = await historyOf(await read(service));
    expect(referencesOf(history)).toEqual(['row 400', 'row 100', 'row 40', 'row 2', 'row 0']);
    expect(transactionQueries(service)[1]).toEqual({ date_from: daysBefore(40) });
  });

  test('is that of 90 days where five minutes have passed, or nobody is there', async () => {
    const service = await startWith(rows);
    const unattended = await historyOf(await refresh(service));
    service.clock.now += 5 * minutes;
    const late = await historyOf(await read(service));
    for (const history of [unattended, late]) {
      expect(referencesOf(history)).toEqual(['row 40', 'row 2', 'row 0']);
      expect(history).toMatchObject({ completeFrom: daysBefore(89), completeTo: today });
    }
    expect(transactionQueries(service)).toEqual([
      { date_from: daysBefore(89) },
      { date_from: daysBefore(89) },
    ]);
  });

  test('of an account without transactions is complete for 90 days', async () => {
    const service = await startWith([]);
    expect(await historyOf(await read(service))).toEqual({
      ...{ completeFrom: daysBefore(89), completeTo: today, transactions: [] },
    });
  });
});

describe('a later history', () => {
  test('begins on the day from which it is asked for, also after today', async () => {
    const service = await startWith(rows);
    service.clock.now += 5 * minutes;
    expect(referencesOf(await historyOf(await refresh(service, daysBefore(2))))).toEqual(['row 2', 'row 0']);
    const tomorrow = daysBefore(-1);
    const history = await historyOf(await refresh(service, tomorrow));
    expect(history).toEqual({ completeFrom: tomorrow, completeTo: today, transactions: [] });
  });

  const periods: NonNullable<FakeAccount['refusesPeriod']>[] = [
    ...(['withDate', 'withoutDate', 'withText', 'byOwnError', 'asUnknownError'] as const),
  ];
  test.each(periods)(
    'is read once more from 90 days ago, today included, where the bank refuses an earlier day %s',
    async (refusesPeriod) => {
      const service = await startWith(rows, { refusesPeriod });
      service.clock.now += 5 * minutes;
      const history = await historyOf(await refresh(service, daysBefore(120)));
      expect(referencesOf(history)).toEqual(['row 40', 'row 2', 'row 0']);
      expect(history).toMatchObject({ completeFrom: daysBefore(89), completeTo: today });
      expect(transactionQueries(service)).toHaveLength(2);
    },
  );

  test('is read from the day that the bank names, where it gives less than 90 days', async () => {
    const service = await startWith(rows, { historyDays: 30 });
    service.clock.now += 5 * minutes;
    const history = await historyOf(await refresh(service));
    expect(referencesOf(history)).toEqual(['row 2', 'row 0']);
    expect(history.completeFrom).toBe(daysBefore(29));
  });

  test('fails after the second refusal', async () => {
    const service = await startWith(rows, { historyDays: 30, refusesPeriod: 'asUnknownError' });
    service.clock.now += 5 * minutes;
    await expect(historyOf(await refresh(service, daysBefore(120)))).rejects.toMatchObject({
      reason: 'down',
    });
    expect(transactionQueries(service)).toHaveLength(2);
  });
});

describe('pages', () => {
  const since = daysBefore(89);

  test('are asked for with all parameters of the first one', async () => {
    const service = await startWith(rows, { pageSize: 1 });
    const history = await historyOf(await refresh(service, since));
    expect(referencesOf(history)).toEqual(['row 40', 'row 2', 'row 0']);
    const [first, ...others] = transactionQueries(service);
    expect(first).toEqual({ date_from: since });
    for (const query of others)
      expect(query).toEqual({ date_from: since, continuation_key: expect.any(String) });
  });

  test('that the bank refuses nevertheless make the history incomplete, never shorter', async () => {
    const service = await startWith(rows, { pageSize: 1, refusesNextPages: true });
    await expect(historyOf(await refresh(service, since))).rejects.toMatchObject({ reason: 'incomplete' });
  });

  test('that come again under the same key make the history incomplete', async () => {
    const service = await startWith(rows, { repeatsFirstPage: true });
    await expect(historyOf(await refresh(service, since))).rejects.toMatchObject({ reason: 'incomplete' });
    expect(transactionQueries(service)).toHaveLength(2);
  });

  test('that come again under another key make the history incomplete', async () => {
    const service = await startWith(rows, { pageSize: 1 });
    const [newest] = rows.toReversed();
    const { deliveredFrom: _, ...row } = newest!;
    service.provider.intercept = ({ operationId }) =>
      operationId === 'getTransactions'
        ? { status: 200, body: { transactions: [row], continuation_key: crypto.randomUUID() } }
        : undefined;
    await expect(historyOf(await refresh(service, since))).rejects.toMatchObject({ reason: 'incomplete' });
    expect(transactionQueries(service)).toHaveLength(2);
  });

  test('may be empty while the bank prepares them, but not for ever', async () => {
    const patient = await startWith(rows, { emptyPages: 20 });
    expect(referencesOf(await historyOf(await read(patient)))).toHaveLength(5);
    const given = await startWith(rows, { emptyPages: 21 });
    await expect(historyOf(await read(given))).rejects.toMatchObject({ reason: 'incomplete' });
    expect(transactionQueries(given)).toHaveLength(21);
  });

  test('are ended by an abort, also between two of them', async () => {
    const { module, call, signedIn, provider } = await startWith(rows, { pageSize: 1 });
    const abort = new AbortController();
    const context = { ...call(), signal: abort.signal };
    const reading = await module.connector.read(signedIn.access, {}, context);
    provider.intercept = ({ parameters }) => {
      if (parameters.continuation_key) abort.abort();
      return undefined;
    };
    await expect(historyOf(reading)).rejects.toMatchObject({ reason: 'timeout' });
  });
});

test('pending transactions are asked for together with posted ones, also at a bank that refuses to filter them', async () => {
  const pending = fakeTransaction('held', today, { status: 'PDNG' });
  for (const refusesPendingFilter of [422, 400] as const) {
    const service = await startWith([...rows, pending], { refusesPendingFilter });
    const lines = linesOf(await historyOf(await refresh(service, daysBefore(2))));
    expect(lines.map((line) => line.split(' ').at(-1))).toEqual(['posted', 'posted', 'pending']);
    expect(transactionQueries(service)).toEqual([{ date_from: daysBefore(2) }]);
  }
});
