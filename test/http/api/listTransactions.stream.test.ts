// Streaming a list of 100,000 transactions: memory, backpressure, and clients that disconnect.
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { BankTransaction, Connector } from '../../../connectors/kit/contract.ts';
import type { ConnectorModule } from '../../../connectors/kit/defineConnector.ts';
import { readSeparately } from '../../../connectors/kit/readSeparately.ts';
import { addMilliseconds, days, toIsoDate } from '../../../src/platform/values/clock.ts';
import { claimAccessUrl, createSetupToken, readWith } from '../../simplefin/fixture.ts';
import { collectGarbage } from '../../support/collectGarbage.ts';
import { oneDatabase } from '../../support/databases.ts';
import { scriptedTransaction } from '../../support/scriptedConnector.ts';
import {
  driveToImport,
  type link,
  openLinkSession,
  startService,
  type TestApplication,
  type TestService,
} from '../../support/testService.ts';

const transactionCount = 100_000;
const megabyte = 2 ** 20;

/** The event loop utilization of this process (service and client) for 300 ms, from 0 to 1. */
const measureUtilization = async (): Promise<number> => {
  const before = performance.eventLoopUtilization();
  await sleep(300);
  return performance.eventLoopUtilization(before).utilization;
};
// Producing the rest of the list would keep utilization at 1. Other work stays below this, even on a busy machine.
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

const transactionAt = (index: number): BankTransaction =>
  scriptedTransaction({
    id: `e${index}`,
    date: toIsoDate(addMilliseconds(new Date('2023-01-01'), days(index % 700))),
    amount: `-${index % 500}.${10 + (index % 90)}`,
    description: `CARD PURCHASE ${index} AT THE CORNER SHOP`,
    reference: `R ${index}`,
  });

/** A bank with one account. It pauses at each tenth of its transactions until the test has taken its measurements. */
const makeLargeBank = (look: (sent: number) => Promise<void>): ConnectorModule => {
  const accounts: Connector['accounts'] = async (_access, { now }) => [
    {
      ...{ id: 'large', name: 'Large', type: 'depository', number: '1', currency: 'EUR' },
      balance: { current: '1.00', asOf: now.toISOString() },
    },
  ];
  async function* chunks(): AsyncGenerator<BankTransaction[]> {
    for (let sent = 0; sent < transactionCount; ) {
      yield Array.from({ length: 1000 }, (_, at) => transactionAt(sent + at));
      sent += 1000;
      if (sent % (transactionCount / 10) === 0) await look(sent);
    }
  }
  const signIn = async () => ({ kind: 'signedIn' as const, access: 'access', deviceToken: 'device' });
  const range = { completeFrom: '2020-01-01', completeTo: '2030-01-01', count: transactionCount };
  const read = readSeparately({ accounts, history: async () => ({ ...range, chunks: chunks() }) });
  const fields = ['username', 'password'].map((name) => ({ name, label: name, secret: name === 'password' }));
  return {
    institutions: [{ id: 'large-bank', name: 'Large Bank', fields }],
    connector: { signIn, answer: signIn, accounts, read },
  };
};

describe.each(oneDatabase)('a list of 100,000 transactions on $name', (database) => {
  let service: TestService;
  let application: TestApplication;
  let linked: Awaited<ReturnType<typeof link>>;
  /** The progress and the additional memory of the process at each tenth of the import. */
  const progress: { done: number; total?: number }[] = [];
  const retained: number[] = [];
  const lines: { level: number; msg: string; operation?: string; complete?: boolean; status?: number }[] = [];
  beforeAll(async () => {
    const bank = makeLargeBank(async (sent) => {
      retained.push(retainedMemory() - before);
      const view = (await session.refresh()) as { progress?: (typeof progress)[number] };
      progress.push(view.progress ?? { done: 0 });
      // The service records progress at most twice a second, so the next chunk after this pause records it.
      if (sent % (transactionCount / 2) === 0) await sleep(600);
    });
    service = await startService({
      database,
      connectors: [bank],
      // A response in progress must not delay the next one.
      limits: { apiRequestsInProgress: 1 },
      logTo: (line) => void lines.push(JSON.parse(line)),
    });
    application = await service.addApplication({ environment: 'production' });
    const options = { applicationId: application.id, institutionId: 'large-bank', username: 'large' };
    const session = await openLinkSession(service, options);
    const before = retainedMemory();
    await driveToImport(session, options);
    const isFinished = async () => (await session.refresh()).state === 'finished';
    await vi.waitUntil(isFinished, { timeout: 500_000, interval: 50 });
    const { view } = session;
    if (view.state !== 'finished') throw new Error(`The import ended as ${view.state}.`);
    await session.acknowledge();
    linked = { ...view.result, session };
  }, 600_000);
  afterAll(() => service.close());

  const open = async (): Promise<IncomingMessage> => {
    const headers = { Authorization: `Bearer ${application.apiKey}`, 'X-Scoped-Token': linked.scopedToken! };
    const request = get(`${service.url}/accounts/${linked.accounts[0]!.id}/transactions`, { headers });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    return response;
  };

  const requestLines = () =>
    lines.filter(({ msg, operation }) => msg === 'request' && operation === 'listTransactions');

  test('reports its progress while it is imported, and uses little memory', () => {
    const done = progress.map((step) => step.done);
    expect(done).toEqual(done.toSorted((left, right) => left - right));
    expect(new Set(done).size).toBeGreaterThan(1);
    expect(done.at(-1)).toBeLessThanOrEqual(transactionCount);
    expect(new Set(progress.flatMap(({ total }) => total ?? []))).toEqual(new Set([transactionCount]));
    expect(retained).toHaveLength(10);
    expect(Math.max(...retained)).toBeLessThan(24 * megabyte);
  });

  /** Reads a list to its end: the number of its ids, the end of its text, and the additional memory of the process meanwhile. */
  const readIds = async (chunks: AsyncIterable<string>, before: number) => {
    const ids = new Set<string>();
    let [retainedMax, received, measuredAt, rest] = [0, 0, 0, ''];
    for await (const chunk of chunks) {
      received += chunk.length;
      rest += chunk;
      // Copied, because a slice would retain the whole text.
      for (const [, id] of rest.matchAll(/"id":"txn_(\w{22})"/g)) ids.add(Buffer.from(id!).toString());
      rest = rest.slice(-40);
      if (received - measuredAt < 8 * megabyte) continue;
      measuredAt = received;
      // The ids that this test keeps do not count as memory of the service.
      retainedMax = Math.max(retainedMax, retainedMemory() - before - ids.size * 120);
    }
    return { count: ids.size, rest, received, retainedMax };
  };

  test('is complete, has unique ids, and uses little memory', async () => {
    const before = retainedMemory();
    const response = await open();
    const { count, rest, received, retainedMax } = await readIds(response.setEncoding('utf8'), before);
    expect(rest).toMatch(/\],"pagination":\{"hasMore":false\}\}$/);
    expect(count).toBe(transactionCount);
    expect(received).toBeGreaterThan(20 * megabyte);
    expect(retainedMax).toBeLessThan(16 * megabyte);
  });

  test('is also complete over SimpleFIN, and uses little memory', async () => {
    const { apiKey } = application;
    const reader = { url: service.url, apiKey, scopedToken: linked.scopedToken! };
    const accessUrl = await claimAccessUrl(await createSetupToken(reader));
    const before = retainedMemory();
    const { body } = await readWith(accessUrl, '?start-date=0&pending=1');
    const chunks = Readable.fromWeb(body as never).setEncoding('utf8');
    const { count, rest, retainedMax } = await readIds(chunks, before);
    expect(rest.endsWith(']}]}')).toBe(true);
    expect(count).toBe(transactionCount);
    expect(retainedMax).toBeLessThan(16 * megabyte);
  });

  test('pauses when the client stops reading, and continues when it reads again', async () => {
    const before = retainedMemory();
    const response = await open();
    response.pause();
    // The socket buffers are full, so nothing more is produced.
    await expect.poll(measureUtilization, pollOptions).toBeLessThan(idleUtilizationMax);
    expect(retainedMemory() - before).toBeLessThan(16 * megabyte);
    let received = 0;
    for await (const chunk of response) received += chunk.length;
    expect(received).toBeGreaterThan(20 * megabyte);
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
    const client = service.client(linked.scopedToken, application.apiKey);
    const { data } = await client.GET('/connections');
    expect(data?.connections).toHaveLength(1);
    response.destroy();
  });
});
