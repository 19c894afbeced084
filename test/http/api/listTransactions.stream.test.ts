// A list of any length: what it costs to send 100,000 entries, and what happens when nobody reads them.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databases } from '../../support/databases.ts';
import {
  driveToImport,
  type link,
  openLinkSession,
  startService,
  type TestService,
} from '../../support/testService.ts';

const transactionCount = 100_000;
const megabyte = 2 ** 20;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** How much of a third of a second this process, service and reader together, is at work: 0 to 1. */
const measureUtilization = async (): Promise<number> => {
  const before = performance.eventLoopUtilization();
  await sleep(300);
  return performance.eventLoopUtilization(before).utilization;
};
// Making the rest of the list would keep it at 1; what else goes on, and a busy machine, stay below this.
const idleUtilizationMax = 0.5;
const pollOptions = { timeout: 30_000 };

/** What this process, service and reader together, holds after everything that it can let go is gone. */
const retainedMemory = (): number => {
  // The second time waits for the buffers that the first has let go.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
};

for (const database of databases) {
  describe(`a list of 100,000 entries on ${database.name}`, () => {
    let service: TestService;
    let linked: Awaited<ReturnType<typeof link>>;
    /** What the session said during the import, and how much more the process then held than before. */
    const imported: { done: number; total?: number; held: number }[] = [];
    const lines: { level: number; msg: string; operation?: string; complete?: boolean; status?: number }[] =
      [];
    beforeAll(async () => {
      service = await startService({ database, logTo: (line) => void lines.push(JSON.parse(line)) });
      const session = await openLinkSession(service);
      await driveToImport(session, { username: 'large' });
      const before = retainedMemory();
      for (let view = session.view; view.state === 'importing'; view = await session.refresh()) {
        imported.push({ ...(view.progress ?? { done: 0 }), held: retainedMemory() - before });
        // Not more often, because all garbage is collected to know what is held.
        await sleep(300);
      }
      const { view } = session;
      if (view.state !== 'finished') throw new Error(`The import ended as ${view.state}.`);
      await session.acknowledge();
      linked = { ...view.result, session };
    }, 120_000);
    afterAll(() => service.close());

    const open = async (query = ''): Promise<IncomingMessage> => {
      const headers = {
        Authorization: `Bearer ${service.application.apiKey}`,
        'X-Scoped-Token': linked.scopedToken!,
      };
      const asked = get(`${service.url}/accounts/${linked.accounts[0]!.id}/transactions${query}`, {
        headers,
      });
      const [response] = (await once(asked, 'response')) as [IncomingMessage];
      expect(response.statusCode).toBe(200);
      return response;
    };

    /** All of an answer's text. */
    const textOf = async (response: IncomingMessage): Promise<string> => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) text += chunk;
      return text;
    };
    let whole = '';

    const requestLines = () =>
      lines.filter(({ msg, operation }) => msg === 'request' && operation === 'listTransactions');

    test('told the truth while it was imported, and held a few megabytes at a time', () => {
      const done = imported.map(({ done }) => done);
      expect(done).toEqual(done.toSorted((left, right) => left - right));
      expect(new Set(done).size).toBeGreaterThan(3);
      expect(done.at(-1)).toBeLessThanOrEqual(transactionCount);
      expect(new Set(imported.map(({ total }) => total))).toEqual(new Set([undefined, transactionCount]));
      expect(Math.max(...imported.map(({ held }) => held))).toBeLessThan(24 * megabyte);
    });

    test('comes whole, every id once, and holds a few megabytes at most on its way', async () => {
      const before = retainedMemory();
      const response = await open();
      const ids = new Set<string>();
      let most = 0;
      let received = 0;
      let measuredAt = 0;
      let rest = '';
      for await (const chunk of response.setEncoding('utf8')) {
        received += chunk.length;
        rest += chunk;
        // Copied, because a slice would keep all of the text that it was taken from.
        for (const [, id] of rest.matchAll(/"id":"txn_(\w{22})"/g)) ids.add(Buffer.from(id!).toString());
        rest = rest.slice(-40);
        if (received - measuredAt < 4 * megabyte) continue;
        measuredAt = received;
        // The ids that this test itself remembers are not the service's.
        most = Math.max(most, retainedMemory() - before - ids.size * 120);
      }
      expect(rest).toMatch(/\],"pagination":\{"hasMore":false\}\}$/);
      expect(ids.size).toBe(transactionCount);
      expect(received).toBeGreaterThan(20 * megabyte);
      expect(most).toBeLessThan(16 * megabyte);
    });

    test('waits for a reader who has stopped reading, and goes on with them', async () => {
      const held = retainedMemory();
      const response = await open();
      response.pause();
      // What is on its way between the two fills their buffers, and no more is made.
      await expect.poll(measureUtilization, pollOptions).toBeLessThan(idleUtilizationMax);
      expect(retainedMemory() - held).toBeLessThan(16 * megabyte);
      whole = await textOf(response);
      expect(whole.length).toBeGreaterThan(20 * megabyte);
    });

    test('stops when its reader goes away, and nobody is alarmed', async () => {
      const done = requestLines().length;
      const response = await open();
      await once(response, 'data');
      response.destroy();
      await expect.poll(() => requestLines().length, pollOptions).toBe(done + 1);
      expect(requestLines().at(-1)).toMatchObject({ status: 200, complete: false });
      await expect.poll(measureUtilization, pollOptions).toBeLessThan(idleUtilizationMax);
      expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
    });

    test('lets other requests through meanwhile', async () => {
      const response = await open();
      response.pause();
      const client = service.client(linked.scopedToken);
      const { data } = await client.GET('/connections');
      expect(data?.connections).toHaveLength(1);
      response.destroy();
    });

    test('is the same by pages of 1,000', async () => {
      whole ||= await textOf(await open());
      let cursor = '';
      const pages: string[] = [];
      do {
        const page = await textOf(await open(`?limit=1000${cursor && `&cursor=${cursor}`}`));
        pages.push(transactionsJsonOf(page));
        cursor = /"nextCursor":"([^"]+)"/.exec(page.slice(-500))?.[1] ?? '';
      } while (cursor);
      expect(pages.length).toBe(transactionCount / 1000);
      expect(pages.join() === transactionsJsonOf(whole)).toBe(true);
    });
  });
}

/** The text between the brackets of an answer's list: parsing hundreds of thousands of entries says no more. */
const transactionsJsonOf = (text: string): string => {
  const [start, end] = ['{"transactions":[', '],"pagination":'];
  expect(text.slice(0, start.length)).toBe(start);
  return text.slice(start.length, text.lastIndexOf(end));
};
