// Tests of the connector's errors after refusals, limits and failures of banks and the provider.
import { describe, expect, test } from 'vitest';
import { type FakeAccount, fakeAccount, fakeTransaction } from './fakeProvider/account.ts';
import { fakeBank } from './fakeProvider/bank.ts';
import type { Schemas } from './fakeProvider/contract.ts';
import {
  daysBefore,
  historyOf,
  iban,
  noon,
  read,
  refresh,
  startLinked,
  startService,
  startSignIn,
  startWith,
  today,
  transactionQueries,
  user,
} from './fixture.ts';

const rows = [fakeTransaction('one', today)];
const healthy = () => fakeAccount('DE00123456780000000002', rows);
const balanceOf = async (service: Awaited<ReturnType<typeof startLinked>>, index = 0) => {
  const reading = await read(service);
  return reading.balance!(reading.accounts[index]!.id);
};

describe('one account', () => {
  test.each<[about: string, options: Partial<FakeAccount>, failure: object]>([
    ['a 401', { refusedWith: 401 }, { reason: 'incomplete' }],
    ['a 404', { refusedWith: 404 }, { reason: 'incomplete' }],
    ['a limit of its bank', { isLimited: true }, { reason: 'rate_limited', rateLimit: { scope: 'account' } }],
  ])('that gets %s leaves the others as they are', async (_, options, failure) => {
    const service = await startLinked([fakeAccount(iban, rows, options), healthy()]);
    const reading = await read(service);
    await expect(historyOf(reading, 0)).rejects.toMatchObject(failure);
    expect((await historyOf(reading, 1)).transactions).toHaveLength(1);
  });

  test('whose balance always fails has its transactions, from the same day as ever', async () => {
    const service = await startWith(rows, { failsBalances: true });
    const since = daysBefore(7);
    for (let count = 0; count < 2; count++) {
      const reading = await refresh(service, since);
      expect((await historyOf(reading)).transactions).toHaveLength(1);
      await expect(reading.balance!(reading.accounts[0]!.id)).rejects.toMatchObject({ reason: 'down' });
    }
    expect(transactionQueries(service)).toEqual([{ date_from: since }, { date_from: since }]);
  });
});

describe('the balance', () => {
  const balance = (balance_type: Schemas['Balance']['balance_type'], amount: string, more: object = {}) => ({
    ...{ name: balance_type, balance_type, balance_amount: { currency: 'EUR', amount } },
    ...more,
  });
  const asOf = noon.toISOString();
  const startBalances = (balances: Schemas['Balance'][], more: Partial<FakeAccount> = {}) =>
    startLinked([fakeAccount(iban, [], { balances, ...more })]);

  test('is the booked one, else the expected one, and never what is available with an overdraft', async () => {
    const kinds = [balance('CLAV', '600.00'), balance('XPCD', '90.00'), balance('CLBD', '100.00')];
    expect(await balanceOf(await startBalances(kinds))).toEqual({
      current: '100.00',
      available: '600.00',
      asOf,
    });
    const expected = await startBalances(kinds.slice(0, 2));
    expect(await balanceOf(expected)).toEqual({ current: '90.00', available: '600.00', asOf });
    expect(await balanceOf(await startBalances(kinds.slice(0, 1)))).toBeUndefined();
    expect(await balanceOf(await startBalances([]))).toBeUndefined();
  });

  test('is of the moment or the day that the bank names, and never of a later one than now', async () => {
    const dated = async (more: object) =>
      (await balanceOf(await startBalances([balance('CLBD', '1.00', more)])))?.asOf;
    expect(await dated({ reference_date: '2026-11-23' })).toBe('2026-11-23T00:00:00.000Z');
    expect(await dated({ last_change_date_time: '2026-11-24T09:30:00+01:00' })).toBe(
      '2026-11-24T08:30:00.000Z',
    );
    expect(await dated({ reference_date: '2026-11-25' })).toBe(asOf);
  });

  test('of a card is its debt, whichever of two ways its bank counts', async () => {
    const shown = { account_id: { iban }, cash_account_type: 'CARD' as const, currency: 'EUR' };
    const credit_limit = { currency: 'EUR', amount: '1000.00' };
    const limited = { shown: { ...shown, credit_limit } };
    const spendable = await startBalances([balance('ITAV', '800.5'), balance('CLBD', '199.50')], limited);
    expect(await balanceOf(spendable)).toEqual({
      current: '-199.50',
      available: '800.5',
      limit: '1000.00',
      asOf,
    });
    const owed = await startBalances([balance('CLBD', '-199.50')], { shown });
    expect(await balanceOf(owed)).toEqual({ current: '-199.50', asOf });
    const unclear = await startBalances([balance('CLBD', '199.50')], { shown });
    expect(await balanceOf(unclear)).toBeUndefined();
  });
});

describe('a session', () => {
  test.each(['EXPIRED_SESSION', 'CLOSED_SESSION', 'REVOKED_SESSION', 'SESSION_DOES_NOT_EXIST'] as const)(
    'that has ended before its day by %s is an expired consent',
    async (end) => {
      const service = await startWith(rows);
      service.provider.endSessions('ada', end);
      const reading = await refresh(service);
      await expect(historyOf(reading)).rejects.toMatchObject({ reason: 'consent_expired' });
      const balance = reading.balance!(reading.accounts[0]!.id);
      await expect(balance).rejects.toMatchObject({ reason: 'consent_expired' });
    },
  );

  test('at whose bank the end user must do something needs them', async () => {
    const service = await startWith(rows);
    const body = { message: 'Sign in.', error: 'ASPSP_PSU_ACTION_REQUIRED' };
    service.provider.intercept = () => ({ status: 400, body });
    const failed = historyOf(await refresh(service));
    await expect(failed).rejects.toMatchObject({ reason: 'user_action_required' });
  });
});

describe('limits', () => {
  test('of a bank are kept: four reads a day without the end user, and as many as they want with them', async () => {
    const service = await startWith(rows);
    for (let count = 0; count < 4; count++) await historyOf(await refresh(service, today));
    await expect(historyOf(await refresh(service, today))).rejects.toMatchObject({
      ...{ reason: 'rate_limited', rateLimit: { scope: 'account', until: undefined } },
    });
    expect((await historyOf(await read(service, { since: today }))).transactions).toHaveLength(1);
    expect(service.module.limits).toEqual({
      ...{ unattendedReadsPerDay: 4, historyWindowSeconds: 300, requestsPerMinute: 300 },
    });
  });

  test('of the provider pause everything for a minute, or for as long as it says', async () => {
    const service = await startWith(rows);
    const limitOf = async (headers: Record<string, string>) => {
      service.provider.intercept = () => ({ status: 429, body: { message: 'Slowly.' }, headers });
      const failed = await historyOf(await refresh(service, today)).catch((error) => error);
      return failed.rateLimit;
    };
    const after = (seconds: number) => new Date(noon.getTime() + seconds * 1000);
    expect(await limitOf({})).toEqual({ scope: 'connector', until: after(60) });
    expect(await limitOf({ 'Retry-After': '120' })).toEqual({ scope: 'connector', until: after(120) });
  });
});

describe('the headers of the end user', () => {
  const headersOf = async (required: string[], isPresent: boolean) => {
    const aspsp = { name: 'First Bank', country: 'DE', required_psu_headers: required };
    const service = await startLinked([fakeAccount(iban, rows)], { aspsp });
    await historyOf(isPresent ? await read(service) : await refresh(service));
    return service.provider.requestsOf('ada').at(-1)!.psuHeaders;
  };
  const known = {
    'psu-ip-address': user.ip,
    'psu-user-agent': user.userAgent,
    'psu-accept-language': user.acceptLanguage,
  };

  test('are theirs, and all that the bank requires', async () => {
    expect(await headersOf(['Psu-Ip-Address', 'Psu-User-Agent'], true)).toEqual(known);
    expect(await headersOf([], true)).toEqual(known);
  });

  test('are not sent where the bank requires one that is not known', async () => {
    expect(await headersOf(['Psu-Ip-Address', 'Psu-Geo-Location'], true)).toEqual({});
  });

  test('are never made up: there are none while nobody is there', async () => {
    expect(await headersOf(['Psu-Ip-Address'], false)).toEqual({});
  });
});

describe('the provider', () => {
  test.each<[about: string, intercepted: { status: number; body?: unknown } | 'close', reason: string]>([
    ['an error of its own', { status: 502 }, 'down'],
    [
      'a bank that takes too long',
      { status: 408, body: { message: 'M', error: 'ASPSP_TIMEOUT' } },
      'timeout',
    ],
    [
      'a refusal of the key',
      { status: 401, body: { message: 'M', error: 'UNAUTHORIZED_ACCESS' } },
      'operator_action_required',
    ],
    [
      'an application without linked accounts',
      { status: 403, body: { message: 'M', error: 'NO_ACCOUNTS_ADDED' } },
      'operator_action_required',
    ],
    ['an unknown refusal', { status: 418, body: { message: 'M', error: 'A_NEW_ONE' } }, 'incomplete'],
    [
      'an answer that its contract does not allow',
      { status: 200, body: { transactions: [{}] } },
      'incomplete',
    ],
    ['a success of another kind', { status: 204 }, 'incomplete'],
    ['no answer', 'close', 'down'],
  ])('with %s is a failure of the reading', async (_, intercepted, reason) => {
    const service = await startWith(rows);
    service.provider.intercept = () => intercepted;
    const failed = await historyOf(await refresh(service, today)).catch((error) => error);
    expect(failed).toMatchObject({ reason });
  });

  test('may send fields that its contract does not have', async () => {
    const service = await startWith(rows);
    const body = { transactions: [{ ...rows[0], more: 1 }], more: 1 };
    service.provider.intercept = () => ({ status: 200, body });
    expect((await historyOf(await refresh(service, today))).transactions).toHaveLength(1);
  });

  test('tells nothing of the end user in an error', async () => {
    const secret = `${iban} Ada Example`;
    const service = await startWith(rows);
    const body = { message: secret, error: 'ASPSP_ERROR', detail: { message: secret, date_from: secret } };
    service.provider.intercept = () => ({ status: 400, body });
    const failed = await historyOf(await refresh(service, today)).catch((error) => error);
    const told = [failed, failed.cause].map((error) => JSON.stringify([error, error.message, error.stack]));
    expect(told.join()).not.toMatch(/DE00|Ada/);
    expect(failed.cause.message).toBe('Enable Banking returned 400 ASPSP_ERROR.');
  });

  test('that does not know the address of the service needs the operator', async () => {
    const bank = fakeBank('First Bank', { ada: [fakeAccount(iban)] });
    const service = await startService([bank], { redirectUrls: [] });
    await expect(startSignIn(service)).rejects.toMatchObject({ reason: 'operator_action_required' });
  });
});
