// Money read as text must be what was sent, digit for digit, and nothing else in an answer may change.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { quoteAmounts } from '../../client/exactAmounts.ts';
import { createClient, unwrap } from '../../client/index.ts';
import { respondProblem, type FakeService, startFakeService, respondJson } from './fakeService.ts';

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

  test('whatever the other fields say, only money changes, and into its own text', () => {
    const number = fc
      .tuple(fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n }), fc.stringMatching(/^[0-9]{1,8}$/))
      .map(([whole, fraction]) => `${whole}.${fraction}`);
    const nasty = fc.oneof(
      fc.string(),
      fc.constantFrom('"amount":1', '\\"amount":1', '\\', '"', ',"limit":2'),
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(nasty, number, nasty)), (rows) => {
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

  test('a hundred thousand entries and a long text are no trouble', () => {
    const rows = Array.from(
      { length: 100_000 },
      (_, at) => `{"amount":-${at}.10,"description":"ENTRY ${at}"}`,
    );
    const start = performance.now();
    const read = JSON.parse(
      quoteAmounts(`[{"description":"${'\\"x'.repeat(300_000)}","amount":1.10},${rows}]`),
    );
    expect(performance.now() - start).toBeLessThan(5000);
    expect([read[0].amount, read.at(-1).amount]).toEqual(['1.10', '-99999.10']);
  });
});

describe('through the client', () => {
  let service: FakeService;
  beforeAll(async () => {
    service = await startFakeService();
  });
  afterAll(() => service.close());
  const clientOf = () => createClient({ baseUrl: service.url, apiKey: 'k', exactAmounts: true });
  const query = { params: { path: { accountId: 'acc_1', transactionId: 'txn_1' } } };

  test('an amount comes as it was sent', async () => {
    service.nextResponders.push(respondJson('{"transaction":{"amount":-12345678901234567.10}}'));
    const call = clientOf().GET('/accounts/{accountId}/transactions/{transactionId}', query);
    expect((await unwrap(call)).transaction.amount).toBe('-12345678901234567.10');
  });

  test('the status and the headers of the answer stay', async () => {
    service.nextResponders.push(respondJson('{"transaction":{"amount":1.0}}', { 'request-id': 'r9' }));
    const { response } = await clientOf().GET('/accounts/{accountId}/transactions/{transactionId}', query);
    expect([response.status, response.headers.get('request-id')]).toEqual([200, 'r9']);
  });

  test('a refusal keeps its numbers', async () => {
    service.nextResponders.push(respondProblem(404, 'not_found'));
    const { error } = await clientOf().GET('/accounts/{accountId}/transactions/{transactionId}', query);
    expect(error?.status).toBe(404);
  });

  test('who asks for the stream gets what was sent', async () => {
    service.nextResponders.push(respondJson('{"transaction":{"amount":1.50}}'));
    const { data } = await clientOf().GET('/accounts/{accountId}/transactions/{transactionId}', {
      ...query,
      parseAs: 'stream',
    });
    expect(await new Response(data).text()).toBe('{"transaction":{"amount":1.50}}');
  });
});
