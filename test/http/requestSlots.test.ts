// The requests in progress of one application are limited; further requests wait or are refused.
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { link, startService } from '../support/testService.ts';

const body = JSON.stringify({ label: 'Budget', allAccounts: true });

test('an application with a request in progress waits, is refused after some time, and does not delay others', async () => {
  const service = await startService({ limits: { apiRequestsInProgress: 1, apiQueueMs: 1000 } });
  onTestFinished(service.close);
  const { scopedToken } = await link(service, { username: 'good' });
  const { apiKey } = service.application;
  const other = await service.addApplication();
  const listSimplefinAccesses = (key: string) =>
    fetch(`${service.url}/simplefin/accesses`, { headers: { Authorization: `Bearer ${key}` } });
  /** A request that is in progress until its body is sent. */
  const startRequest = (): ClientRequest => {
    const headers = {
      Authorization: `Bearer ${apiKey}`,
      'X-Scoped-Token': scopedToken,
      'Content-Type': 'application/json',
      'Content-Length': body.length,
    };
    const started = request(`${service.url}/simplefin/accesses`, { method: 'POST', headers });
    started.flushHeaders();
    return started;
  };

  const inProgress = startRequest();
  await expect.poll(async () => (await listSimplefinAccesses(apiKey)).status).toBe(429);
  const refused = await listSimplefinAccesses(apiKey);
  expect(refused.headers.get('Retry-After')).toBe('1');
  expect(refused.headers.has('RateLimit') || refused.headers.has('RateLimit-Policy')).toBe(false);
  expect(await refused.json()).toMatchObject({ status: 429, code: 'rate_limited' });
  expect((await listSimplefinAccesses(other.apiKey)).status).toBe(200);

  const waiting = listSimplefinAccesses(apiKey);
  inProgress.end(body);
  const [response] = (await once(inProgress, 'response')) as [IncomingMessage];
  response.resume();
  expect(response.statusCode).toBe(201);
  expect((await waiting).status).toBe(200);

  // A client that disconnects frees its slot.
  const abandoned = startRequest();
  await expect.poll(async () => (await listSimplefinAccesses(apiKey)).status).toBe(429);
  abandoned.on('error', () => {}).destroy();
  await expect.poll(async () => (await listSimplefinAccesses(apiKey)).status).toBe(200);
});
