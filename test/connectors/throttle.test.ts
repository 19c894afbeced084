// A connector's requests per minute are limited across all processes.
import { describe, expect, test } from 'vitest';
import type { GuardedRequest } from '../../connectors/kit/guardedRequest.ts';
import { throttled } from '../../src/domain/institutions/throttle.ts';
import { BankUnreachable } from '../../src/platform/values/errors.ts';
import { oneDatabase } from '../support/databases.ts';
import { startService } from '../support/testService.ts';

const minute = 60_000;

for (const database of oneDatabase) {
  describe(`requests of a connector on ${database.name}`, () => {
    test('are sent in the next minute by two processes that have used up the current one, unless they are aborted', async () => {
      const first = await startService({ database });
      const { databaseUrl, secretsDir } = first.service.config;
      const second = await startService({ existing: { databaseUrl, secretsDir } });
      const { clock } = first.service;
      const sent: number[] = [];
      const send = async () => {
        sent.push(Math.floor(clock.real().getTime() / minute));
        return { status: 200, headers: {}, body: undefined };
      };
      const senders = [first, second].map(({ service: { db } }) =>
        throttled(send, 'connector test', () => 3, { db, clock }),
      );
      const requestWith = (signal: AbortSignal): GuardedRequest => ({
        ...{ method: 'GET', url: new URL('https://bank.test/'), headers: {}, timeoutMs: 1000, signal },
      });
      const untilEnd = () => minute - (clock.real().getTime() % minute);
      const { signal } = new AbortController();
      // The start of a minute, so that the request is aborted within it even if the database is slow.
      first.advance(untilEnd());
      await Promise.all([0, 1, 0].map((at) => senders[at]!(requestWith(signal))));
      await expect(senders[1]!(requestWith(AbortSignal.timeout(100)))).rejects.toThrow(BankUnreachable);
      first.advance(untilEnd() - 500);
      await Promise.all(senders.map((sender) => sender(requestWith(signal))));
      const [start] = sent;
      expect(sent).toEqual([0, 0, 0, 1, 1].map((later) => start! + later));
      await second.close();
      await first.close();
    });
  });
}
