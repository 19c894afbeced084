// Streaming a list of 100,000 transactions: memory, backpressure, and clients that disconnect.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimAccessUrl, createSetupToken, readWith } from '../../simplefin/fixture.ts';
import { collectGarbage } from '../../support/collectGarbage.ts';
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

/** The event loop utilization of this process (service and client) during 300 ms: 0 to 1. */
const measureUtilization = async (): Promise<number> => {
  const before = performance.eventLoopUtilization();
  await sleep(300);
  return performance.eventLoopUtilization(before).utilization;
};
// Producing the rest of the list would keep it at 1. Other work, also on a busy machine, stays below this.
const idleUtilizationMax = 0.5;
const pollOptions = { timeout: 30_000 };

/** The memory of this process (service and client) after a garbage collection, in bytes. */
const retainedMemory = (): number => {
  // The second collection frees the buffers that the first one released.
  collectGarbage();
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};

for (const database of databases) {
  describe(`a list of 100,000 transactions on ${database.name}`, () => {
    let service: TestService;
    let linked: Awaited<ReturnType<typeof link>>;
    /** The progress of the import, and at each tenth of it the additional memory of the process. */
    const progress: { done: number; total?: number }[] = [];
    const retained: number[] = [];
    const lines: { level: number; msg: string; operation?: string; complete?: boolean; status?: number }[] =
      [];
    beforeAll(async () => {
      service = await startService({
        database,
        // A response that is being sent must not keep the next one waiting.
        limits: { apiRequestsInProgress: 1 },
        logTo: (line) => void lines.push(JSON.parse(line)),
      });
      const session = await openLinkSession(service);
      await driveToImport(session, { username: 'large' });
      const before = retainedMemory();
      let nextMeasured = 0;
      for (let view = session.view; view.state === 'importing'; view = await session.refresh()) {
        const { done, total } = view.progress ?? { done: 0 };
        progress.push({ done, total });
        // At each tenth, because a measurement collects all garbage, and holds up the import on a busy machine.
        if (done >= nextMeasured) {
          retained.push(retainedMemory() - before);
          nextMeasured = done + transactionCount / 10;
        }
        await sleep(500);
      }
      const { view } = session;
      if (view.state !== 'finished') throw new Error(`The import ended as ${view.state}.`);
      await session.acknowledge();
      linked = { ...view.result, session };
      // On an idle machine 10 seconds.
    }, 600_000);
    afterAll(() => service.close());

    const open = async (query = ''): Promise<IncomingMessage> => {
      const headers = {
        Authorization: `Bearer ${service.application.apiKey}`,
        'X-Scoped-Token': linked.scopedToken!,
      };
      const request = get(`${service.url}/accounts/${linked.accounts[0]!.id}/transactions${query}`, {
        headers,
      });
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      expect(response.statusCode).toBe(200);
      return response;
    };

    const readText = async (response: IncomingMessage, lengthMax = Infinity): Promise<string> => {
      let text = '';
      for await (const chunk of response.setEncoding('utf8')) {
        text += chunk;
        if (text.length > lengthMax) break;
      }
      return text;
    };
    // Pages on every database are in listTransactions.pages.test.ts.
    const isComparedWithPages = database === databases[0] || process.env.TEST_ALL !== undefined;
    let completeText = '';

    const requestLines = () =>
      lines.filter(({ msg, operation }) => msg === 'request' && operation === 'listTransactions');

    test('reports its progress while it is imported, and uses little memory', () => {
      const done = progress.map((step) => step.done);
      expect(done).toEqual(done.toSorted((left, right) => left - right));
      // The service records it twice a second.
      expect(new Set(done).size).toBeGreaterThan(1);
      expect(done.at(-1)).toBeLessThanOrEqual(transactionCount);
      // On a busy machine the first view may already have a total.
      expect(new Set(progress.flatMap(({ total }) => total ?? []))).toEqual(new Set([transactionCount]));
      expect(retained.length).toBeGreaterThan(2);
      expect(Math.max(...retained)).toBeLessThan(24 * megabyte);
    });

    test('is complete, has unique ids, and uses little memory', async () => {
      const before = retainedMemory();
      const response = await open();
      const ids = new Set<string>();
      let retainedMax = 0;
      let received = 0;
      let measuredAt = 0;
      let rest = '';
      for await (const chunk of response.setEncoding('utf8')) {
        received += chunk.length;
        rest += chunk;
        // Copied, because a slice would retain the whole text.
        for (const [, id] of rest.matchAll(/"id":"txn_(\w{22})"/g)) ids.add(Buffer.from(id!).toString());
        rest = rest.slice(-40);
        if (received - measuredAt < 8 * megabyte) continue;
        measuredAt = received;
        // The ids that this test keeps are not memory of the service.
        retainedMax = Math.max(retainedMax, retainedMemory() - before - ids.size * 120);
      }
      expect(rest).toMatch(/\],"pagination":\{"hasMore":false\}\}$/);
      expect(ids.size).toBe(transactionCount);
      expect(received).toBeGreaterThan(20 * megabyte);
      expect(retainedMax).toBeLessThan(16 * megabyte);
    });

    test('is complete over SimpleFIN, too, and uses little memory', async () => {
      const { url, application } = service;
      const { apiKey } = application;
      const setupToken = await createSetupToken({ url, apiKey, scopedToken: linked.scopedToken! });
      const accessUrl = await claimAccessUrl(setupToken);
      const before = retainedMemory();
      const response = await readWith(accessUrl, '?start-date=0&pending=1');
      let count = 0;
      let received = 0;
      let measuredAt = 0;
      let retainedMax = 0;
      let rest = '';
      for await (const chunk of Readable.fromWeb(response.body as never).setEncoding('utf8')) {
        received += chunk.length;
        rest += chunk;
        let matchedTo = 0;
        for (const { 0: text, index } of rest.matchAll(/"id":"txn_\w{22}"/g)) {
          count += 1;
          matchedTo = index + text.length;
        }
        rest = rest.slice(Math.max(matchedTo, rest.length - 40));
        if (received - measuredAt < 8 * megabyte) continue;
        measuredAt = received;
        retainedMax = Math.max(retainedMax, retainedMemory() - before);
      }
      expect(rest.endsWith(']}]}')).toBe(true);
      expect(count).toBe(transactionCount);
      expect(retainedMax).toBeLessThan(16 * megabyte);
    });

    test('pauses when the client stops reading, and continues when it reads again', async () => {
      const before = retainedMemory();
      const response = await open();
      response.pause();
      // The socket buffers are full, and nothing more is produced.
      await expect.poll(measureUtilization, pollOptions).toBeLessThan(idleUtilizationMax);
      expect(retainedMemory() - before).toBeLessThan(16 * megabyte);
      const lengthMax = isComparedWithPages ? Infinity : 5 * megabyte;
      completeText = await readText(response, lengthMax);
      expect(completeText.length).toBeGreaterThan(Math.min(lengthMax, 20 * megabyte));
    });

    test('stops when the client disconnects, without an error log', async () => {
      const done = requestLines().length;
      const response = await open();
      await once(response, 'data');
      response.destroy();
      await expect.poll(() => requestLines().length, pollOptions).toBe(done + 1);
      expect(requestLines().at(-1)).toMatchObject({ status: 200, complete: false });
      await expect.poll(measureUtilization, pollOptions).toBeLessThan(idleUtilizationMax);
      expect(lines.filter(({ level }) => level >= 50)).toEqual([]);
    });

    test('does not block other requests', async () => {
      const response = await open();
      response.pause();
      const client = service.client(linked.scopedToken);
      const { data } = await client.GET('/connections');
      expect(data?.connections).toHaveLength(1);
      response.destroy();
    });

    test.runIf(isComparedWithPages)('is the same by pages of 1,000', async () => {
      completeText ||= await readText(await open());
      let cursor = '';
      const pages: string[] = [];
      do {
        const page = await readText(await open(`?limit=1000${cursor && `&cursor=${cursor}`}`));
        pages.push(transactionsJsonOf(page));
        cursor = /"nextCursor":"([^"]+)"/.exec(page.slice(-500))?.[1] ?? '';
      } while (cursor);
      expect(pages.length).toBe(transactionCount / 1000);
      expect(pages.join() === transactionsJsonOf(completeText)).toBe(true);
    });
  });
}

/** The text of the list in a response. Comparing text is enough and much faster than parsing it. */
const transactionsJsonOf = (text: string): string => {
  const [start, end] = ['{"transactions":[', '],"pagination":'];
  expect(text.slice(0, start.length)).toBe(start);
  return text.slice(start.length, text.lastIndexOf(end));
};
