// The question whether a page may open the widget, which pages of every origin may ask about themselves.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeId } from '../../src/ids.ts';
import { oneDatabase } from '../support/databases.ts';
import { hostOrigin, startService, type TestService } from '../support/testService.ts';

describe.each(oneDatabase)('whether a page may open the widget, on $name', (database) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ database, origins: [hostOrigin, 'https://pay.example'] });
  });
  afterAll(() => service.close());

  const ask = (applicationId: string, origin?: string): Promise<Response> =>
    fetch(`${service.url}/connect/api/applications/${applicationId}/embedding`, {
      headers: { ...(origin && { origin }), 'sec-fetch-site': 'cross-site' },
    });

  test('is answered to a page of an allowed origin', async () => {
    const response = await ask(service.application.id, hostOrigin);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(await response.json()).toEqual({ allowed: true, environment: 'sandbox' });
  });

  test('is answered to a foreign page with what to do, and without the origins that are allowed', async () => {
    const text = await (await ask(service.application.id, 'https://other.example')).text();
    expect(JSON.parse(text)).toEqual({
      allowed: false,
      environment: 'sandbox',
      advice: 'The application does not allow https://other.example. Add this origin to it in the dashboard.',
    });
    expect(text).not.toContain('pay.example');
  });

  test('is answered to a page without an origin with why it has none', async () => {
    const { allowed, advice } = await (await ask(service.application.id, 'null')).json();
    expect(allowed).toBe(false);
    expect(advice).toContain('allow-same-origin');
    expect(advice).toContain('must be served by http');
    expect(advice).not.toContain('Add this origin');
  });

  test('is about the page of the service itself where the browser names no other', async () => {
    expect(await (await ask(service.application.id)).json()).toMatchObject({
      allowed: false,
      advice: expect.stringContaining(service.url),
    });
  });

  test('is 404 for an unknown application, which the page can read', async () => {
    const response = await ask(makeId('app'), hostOrigin);
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([404, '*']);
    expect(await response.json()).toMatchObject({ code: 'not_found' });
  });

  test('opens no other operation to pages of other origins', async () => {
    const response = await fetch(`${service.url}/connect/api/link-sessions`, {
      method: 'POST',
      headers: { origin: 'https://other.example', 'content-type': 'application/json' },
      body: JSON.stringify({ applicationId: service.application.id, origin: hostOrigin }),
    });
    expect([response.status, response.headers.get('access-control-allow-origin')]).toEqual([403, null]);
  });
});
