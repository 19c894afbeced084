// A process that is stopped while it works: nothing that it has begun is broken off.
import { Agent, request } from 'node:http';
import { expect, test } from 'vitest';
import { startFaultService } from './faultHarness.ts';

type Result = 'answered' | 'refused' | 'broken off';

const get = (url: string, agent: Agent): Promise<Result> =>
  new Promise((resolve) => {
    const sent = request(`${url}/health/ready`, { agent }, (response) => {
      response.on('end', () => resolve('answered')).on('error', () => resolve('broken off'));
      response.resume();
    });
    sent.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(code === 'ECONNREFUSED' ? 'refused' : 'broken off'),
    );
    sent.end();
  });

test('SIGTERM under load: every request that was accepted is answered, on connections that are kept open', async () => {
  const service = await startFaultService({});
  const results: Result[] = [];
  const client = async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    for (let result: Result = 'answered'; result !== 'refused'; ) {
      result = await get(service.url, agent);
      results.push(result);
    }
    agent.destroy();
  };
  const clients = Array.from({ length: 16 }, client);
  await expect.poll(() => results.length).toBeGreaterThan(500);
  expect(await service.stop()).toBe(0);
  await Promise.all(clients);
  expect(results.filter((result) => result === 'refused')).toHaveLength(clients.length);
  expect(results.filter((result) => result === 'broken off')).toEqual([]);
});
