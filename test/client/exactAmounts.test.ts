// With exactAmounts, amounts are the digits of the response and nothing else changes.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quoteAmounts } from '../../client/exactAmounts.ts';
import { createClient } from '../../client/index.ts';
import { type FakeService, respondJson, respondProblem, startFakeService } from './fakeService.ts';

describe('quoteAmounts', () => {
  test.each([
    ['{"amount":12.50}', '{"amount":"12.50"}'],
    ['{"amount":-0.10,"date":"2024-01-01"}', '{"amount":"-0.10","date":"2024-01-01"}'],
    ['{"amount" :\n 12345678901234567890.1234567890}', '{"amount" :\n "12345678901234567890.1234567890"}'],
    ['{"amount":1e3}', '{"amount":"1e3"}'],
    [
      '{"balance":{"current":0,"available":1.000,"limit":-5}}',
      '{"balance":{"current":"0","available":"1.000","limit":"-5"}}',
    ],
    ['{"status":404,"count":7}', '{"status":404,"count":7}'],
    ['{"amount":null,"limit":"5"}', '{"amount":null,"limit":"5"}'],
    ['{"a":["amount",5,"amount"]}', '{"a":["amount",5,"amount"]}'],
    [
      String.raw`{"description":"\"amount\":5","amount":5}`,
      String.raw`{"description":"\"amount\":5","amount":"5"}`,
    ],
    [String.raw`{"description":"\\","amount":5}`, String.raw`{"description":"\\","amount":"5"}`],
  ])('%s', (sent, read) => {
    expect(quoteAmounts(sent)).toBe(read);
    expect(() => JSON.parse(read)).not.toThrow();
  });

  test('quotes only the amounts, regardless of the other fields', () => {
    const number = fc
      .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.stringMatching(/^[0-9]{1,8}$/))
      .map(([whole, fraction]) => `${whole}.${fraction}`);
    const difficultText = fc.oneof(
      fc.string(),
      fc.constantFrom('"amount":1', '\\"amount":1', '\\', '"', ',"limit":2'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(difficultText, number, difficultText)), (rows) => {
        const sent = rows.map(
          ([before, amount, after]) =>
            `{"description":${JSON.stringify(before)},"amount":${amount},"reference":${JSON.stringify(after)},"n":1}`,
        );
        expect(JSON.parse(quoteAmounts(`[${sent}]`))).toEqual(
          rows.map(([before, amount, after]) => ({ description: before, amount, reference: after, n: 1 })),
        );
      }),
    );
  });

  test('100,000 transactions and a long text are read, which would take minutes if the time were not linear', () => {
    const rows = Array.from(
      { length: 100_000 },
      (_, index) => `{"amount":-${index}.10,"description":"TRANSACTION ${index}"}`,
    );
    const read = JSON.parse(
      quoteAmounts(`[{"description":"${'\\"x'.repeat(300_000)}","amount":1.10},${rows}]`),
    );
    expect([read[0].amount, read.at(-1).amount]).toEqual(['1.10', '-99999.10']);
  });
});

describe('a client with exactAmounts', () => {
  let service: FakeService;
  beforeAll(async () => {
    service = await startFakeService();
  });
  afterAll(() => service.close());
  const clientOf = () => createClient({ baseUrl: service.url, apiKey: 'k', exactAmounts: true });
  const path = '/accounts/{accountId}/transactions/{transactionId}';
  const query = { params: { path: { accountId: 'acc_1', transactionId: 'txn_1' } } };

  test('returns the digits of the response, with its status and headers', async () => {
    const sent = '{"transaction":{"amount":-12345678901234567.10}}';
    service.nextResponders.push(respondJson(sent, { 'request-id': 'r9' }));
    const { data, response } = await clientOf().GET(path, query);
    expect(data!.transaction.amount).toBe('-12345678901234567.10');
    expect([response.status, response.headers.get('request-id')]).toEqual([200, 'r9']);
  });

  test('does not change error responses', async () => {
    service.nextResponders.push(respondProblem(404, 'not_found'));
    expect((await clientOf().GET(path, query)).error?.status).toBe(404);
  });

  test('does not change streams', async () => {
    service.nextResponders.push(respondJson('{"transaction":{"amount":1.50}}'));
    const { data } = await clientOf().GET(path, { ...query, parseAs: 'stream' });
    expect(await new Response(data).text()).toBe('{"transaction":{"amount":1.50}}');
  });
});
