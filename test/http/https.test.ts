// With an https BASE_URL, only this host can set the cookies, and responses have Strict-Transport-Security.
import { describe, expect, onTestFinished, test } from 'vitest';
import { sendRaw } from '../support/sendRaw.ts';
import { startService, type TestService } from '../support/testService.ts';
import { createMember, password } from './dashboard/users.ts';

const paths = ['/connections', '/health', '/', '/docs', '/connect.js', '/connect', '/dashboard', '/nothing'];

const start = async (env: Record<string, string>): Promise<TestService> => {
  const service = await startService({ env, worker: false });
  onTestFinished(service.close);
  return service;
};

const transportHeaders = async ({ url }: TestService): Promise<(string | null)[]> => {
  const responses = await Promise.all(paths.map((path) => fetch(`${url}${path}`)));
  await Promise.all(responses.map((response) => response.arrayBuffer()));
  return responses.map(({ headers }) => headers.get('Strict-Transport-Security'));
};

describe('with an https BASE_URL', () => {
  const BASE_URL = 'https://bank.example';

  test('the session cookie has the prefix __Host-, and a cookie without it is ignored', async () => {
    const service = await start({ BASE_URL });
    const email = 'owner@example.com';
    await createMember(service, { role: 'owner', email, origin: BASE_URL });
    const signedIn = await fetch(`${service.url}/management/sign-in`, {
      method: 'POST',
      headers: { Origin: BASE_URL, 'Dashboard-Request': '1', 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password }),
    });
    const [cookie = ''] = signedIn.headers.getSetCookie();
    expect(cookie).toMatch(
      /^__Host-dashboard_session=[\w-]{43}; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
    );
    const [pair = ''] = cookie.split(';');
    const statusWith = async (Cookie: string) =>
      (await fetch(`${service.url}/management/session`, { headers: { Cookie } })).status;
    expect(await statusWith(pair)).toBe(200);
    expect(await statusWith(pair.replace('__Host-', ''))).toBe(401);
  });

  test('every response tells browsers to use https only', async () => {
    const service = await start({ BASE_URL });
    const header = 'max-age=31536000; includeSubDomains';
    expect(await transportHeaders(service)).toEqual(paths.map(() => header));
    const refused = [
      'no HTTP at all\r\n\r\n',
      'GET / HTTP/1.1\r\nHost: a\r\nExpect: cake\r\nConnection: close\r\n\r\n',
    ];
    for (const request of refused) {
      const { head } = await sendRaw(service.url, request);
      expect(/^strict-transport-security: (.*)\r$/im.exec(head)?.[1]).toBe(header);
    }
  });
});

test('with an http BASE_URL no response does', async () => {
  const service = await start({});
  expect(await transportHeaders(service)).toEqual(paths.map(() => null));
});
