// Limits over several processes: what one has answered counts at the others a moment later.
import { describe, expect, onTestFinished, test } from 'vitest';
import { databases } from '../support/databases.ts';
import { startService, type TestService } from '../support/testService.ts';

const limits = { apiRequestsPerMinute: 40, rateLimitFlushMs: 3_600_000 };

/** Two processes' worth of service on one database, which tell each other what they counted when they are told to. */
const startTwo = async (kind: (typeof databases)[number]): Promise<[TestService, TestService]> => {
  const database = await kind.create();
  onTestFinished(database.drop);
  const first = await startService({ existing: { databaseUrl: database.url }, worker: false, limits });
  onTestFinished(first.close);
  const { secretsDir } = first.service.config;
  const second = await startService({
    existing: { databaseUrl: database.url, secretsDir },
    worker: false,
    limits,
  });
  onTestFinished(second.close);
  return [first, second];
};

/** Statuses of so many requests to a connection that is not there. */
const ask = async (service: TestService, apiKey: string, times: number): Promise<number[]> => {
  const headers = { Authorization: `Bearer ${apiKey}` };
  const statuses: number[] = [];
  for (let at = 0; at < times; at++) {
    const response = await fetch(`${service.url}/connections/con_0000000000000000000000`, { headers });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  return statuses;
};

const answered = (statuses: number[]): number => statuses.filter((status) => status !== 429).length;

/** Early in a minute of the services' clocks, so that none of a test's requests falls into the next. */
const atStartOfMinute = (services: TestService[]): void => {
  const late = Date.now() % 60_000;
  for (const service of services) service.advance(60_000 - late + 1);
};

for (const kind of databases) {
  describe(kind.name, () => {
    test('two processes answer no more than one would, once they have heard of each other', async () => {
      const [first, second] = await startTwo(kind);
      atStartOfMinute([first, second]);
      const { apiKey } = first.application;
      expect(answered(await ask(first, apiKey, 25))).toBe(25);
      await first.service.rateLimiter.flush();
      expect(answered(await ask(second, apiKey, 10))).toBe(10);
      await second.service.rateLimiter.flush();
      // 25 and 10 of 40 are gone: five are left for the second, and none for the first when it hears of them.
      expect(answered(await ask(second, apiKey, 20))).toBe(5);
      await second.service.rateLimiter.flush();
      expect(answered(await ask(first, apiKey, 1))).toBe(1);
      await first.service.rateLimiter.flush();
      expect(answered(await ask(first, apiKey, 20))).toBe(0);
    });

    test('another application and another minute have their own', async () => {
      const [first, second] = await startTwo(kind);
      atStartOfMinute([first, second]);
      await ask(first, first.application.apiKey, 50);
      await first.service.rateLimiter.flush();
      const other = await first.addApplication();
      expect(answered(await ask(first, other.apiKey, 1))).toBe(1);
      const [refused] = await ask(first, first.application.apiKey, 1);
      expect(refused).toBe(429);
      for (const service of [first, second]) service.advance(60_000);
      expect(answered(await ask(first, first.application.apiKey, 1))).toBe(1);
      await first.service.rateLimiter.flush();
      const kept = await first.service.db.read('rate_limit_counters').select('key', 'count');
      // Nobody's id stands there, and the minute before the last is forgotten.
      expect(JSON.stringify(kept)).not.toContain('app_');
      expect(kept.map(({ count }) => count).sort()).toEqual([1, 40]);
    });
  });
}

test('whoever asks little is not written at all, and a refusal says when to come again', async () => {
  const service = await startService({
    worker: false,
    limits: { apiRequestsPerMinute: 1000, rateLimitFlushMs: 3_600_000 },
  });
  onTestFinished(service.close);
  atStartOfMinute([service]);
  await ask(service, service.application.apiKey, 9);
  await service.service.rateLimiter.flush();
  expect(await service.service.db.read('rate_limit_counters').select('key')).toEqual([]);
  const { rateLimiter } = service.service;
  expect([1, 2, 3].map(() => rateLimiter.consume('x', 2))).toEqual([
    undefined,
    undefined,
    { retryAfterSeconds: expect.any(Number) },
  ]);
  const { retryAfterSeconds } = rateLimiter.consume('x', 2)!;
  expect(retryAfterSeconds).toBeGreaterThan(50);
  expect(retryAfterSeconds).toBeLessThanOrEqual(60);
});
