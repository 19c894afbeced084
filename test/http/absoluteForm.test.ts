// A request with a target in absolute form, as to a proxy (RFC 9112, section 3.2.2), gets the same response as the path alone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRaw } from '../support/sendRaw.ts';
import { link, startService, type TestService } from '../support/testService.ts';

let service: TestService;
const logs: string[] = [];
beforeAll(async () => {
  service = await startService({ logTo: (line) => logs.push(line) });
});
afterAll(() => service.close());

/** The parts of a response that are the same each time. */
const request = async (url: string, target: string, headers: string[] = []) => {
  const lines = [`GET ${target} HTTP/1.1`, 'Host: localhost', 'Connection: close', ...headers];
  const { head, body } = await sendRaw(url, `${lines.join('\r\n')}\r\n\r\n`);
  const [status] = head.split('\r\n');
  const kept = head
    .split('\r\n')
    .filter((line) => /^(location|content-type|api-version|set-cookie):/i.test(line));
  return { status, kept: kept.toSorted(), body: body.replaceAll(/[\da-f]{32}/g, '') };
};

const paths = [
  ...['/health', '/', '/?a=1', '/openapi.yaml', '/docs', '/connect.js', '/connect'],
  ...['/dashboard', '/dashboard/'],
  ...['/connections', '/connections?limit=0', '/simplefin/info', '/simplefin/accounts', '/nothing', '/%zz'],
  ...['/management/session', '/dashboard/oidc/callback?code=1', '/connect/return?state=x'],
];
test.for(paths)('%s', async (path) => {
  const expected = await request(service.url, path);
  for (const authority of ['http://localhost', 'https://else.example:8443', 'HTTP://user:pass@[::1]:1'])
    expect(await request(service.url, `${authority}${path}`)).toEqual(expected);
});

test('without a path, or with only a query, it is the start page', async () => {
  const expected = await request(service.url, '/');
  expect(expected.status).toBe('HTTP/1.1 200 OK');
  for (const target of ['http://localhost', 'http://localhost?a=/connections'])
    expect(await request(service.url, target)).toEqual(expected);
});

test('a backend reads, and the log names the operation', async () => {
  const { scopedToken } = await link(service);
  const headers = [`Authorization: Bearer ${service.application.apiKey}`, `X-Scoped-Token: ${scopedToken}`];
  const expected = await request(service.url, '/connections', headers);
  expect(expected.status).toBe('HTTP/1.1 200 OK');
  expect(await request(service.url, 'http://else.example/connections', headers)).toEqual(expected);
  const succeeded = () =>
    logs.map((line) => JSON.parse(line)).filter((one) => one.msg === 'request' && one.status === 200);
  const read = expect.objectContaining({ operation: 'listConnections' });
  await expect.poll(() => succeeded().slice(-2)).toEqual([read, read]);
  expect(logs.join('')).not.toContain('else.example');
});

test('a different scheme changes nothing, and a missing Host is still refused', async () => {
  expect(await request(service.url, 'ftp://a/connections')).toEqual(
    await request(service.url, '/connections'),
  );
  const { head } = await sendRaw(service.url, 'GET http://a/health HTTP/1.1\r\nConnection: close\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1\.1 400 /);
});
