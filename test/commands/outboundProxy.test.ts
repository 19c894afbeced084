// HTTPS_PROXY and HTTP_PROXY: webhooks and connectors do not use them, and each start logs this; requests to the OpenID provider do.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { cliSettingsOf, runCliProcess, type Settings } from '../support/cli.ts';
import { freePort } from '../support/freePort.ts';
import { startReceiving } from '../webhooks/fixture.ts';
import { warningsOf } from './warnings.ts';

const msg = 'proxy not used: webhooks and connectors connect directly';
const url = 'http://user:hunter2@proxy.example:3128';

const proxyWarnings = async (...args: [Settings, string[], ((url: string) => Promise<unknown>)?]) =>
  (await warningsOf(msg, ...args)).map(({ variables }) => variables);

test('a start with a proxy warns once, with only the names of the variables', async () => {
  for (const [names, command, more] of [
    [['HTTPS_PROXY', 'http_proxy', 'ALL_PROXY'], 'worker', {}],
    [['https_proxy', 'HTTP_PROXY'], 'serve', { WEB_CONCURRENCY: '2', PORT: String(await freePort()) }],
  ] as const) {
    const settings = Object.fromEntries(names.map((name) => [name, url]));
    const [variables, ...further] = await proxyWarnings({ ...settings, ...more }, [command]);
    expect(variables).toEqual(expect.arrayContaining([...names]));
    expect([(variables as string[]).length, further]).toEqual([names.length, []]);
  }
});

test('a start logs no proxy warning if no proxy is set, or if nothing connects to the outside', async () => {
  expect(await proxyWarnings({ HTTPS_PROXY: '', NO_PROXY: '*' }, ['worker'])).toEqual([]);
  expect(await proxyWarnings({ HTTPS_PROXY: url }, ['serve', '--no-worker'])).toEqual([]);
  // Users sign in to their banks through this process.
  const withConnector = { HTTPS_PROXY: url, CONNECTORS: 'simplefin' };
  expect(await proxyWarnings(withConnector, ['serve', '--no-worker'])).toEqual([['HTTPS_PROXY']]);
});

/** A proxy that refuses everything and records the requests. */
const startProxy = async (): Promise<{ settings: Settings; asked: string[] }> => {
  const asked: string[] = [];
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    response.writeHead(502).end();
  });
  server.on('connect', ({ url }, socket) => {
    asked.push(`CONNECT ${url}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const HTTP_PROXY = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { settings: { HTTP_PROXY, NODE_USE_ENV_PROXY: '1' }, asked };
};

test('a webhook goes to its endpoint directly', async () => {
  const proxy = await startProxy();
  const { service, receiver, endpointId } = await startReceiving({ worker: false });
  const settings = { ...cliSettingsOf(service.service.config), ALLOWED_NETWORKS: '127.0.0.1' };
  const { code } = await runCliProcess({ ...settings, ...proxy.settings }, 'webhooks', 'test', endpointId);
  expect({ code, received: receiver.received.length, asked: proxy.asked }).toEqual({
    ...{ code: 0, received: 1, asked: [] },
  });
});

test('the OpenID provider is reached through the proxy only with NODE_USE_ENV_PROXY', async () => {
  const { settings, asked } = await startProxy();
  const serve = ['serve', '--no-worker'];
  const provider = {
    ...{ OIDC_ISSUER: 'http://127.0.0.1:59999', OIDC_CLIENT_ID: 'bank', OIDC_CLIENT_SECRET: 'secret' },
  };
  const signIn = async (url: string) => {
    const headers = { Origin: url.replace('127.0.0.1', 'localhost'), 'Dashboard-Request': '1' };
    const { status } = await fetch(`${url}/management/sign-in/oidc`, { method: 'POST', headers });
    expect(status).toBeGreaterThanOrEqual(400);
  };
  await proxyWarnings({ ...provider, ...settings, NODE_USE_ENV_PROXY: '' }, serve, signIn);
  expect(asked).toEqual([]);
  await proxyWarnings({ ...provider, ...settings }, serve, signIn);
  expect(asked).toEqual(['CONNECT 127.0.0.1:59999']);
});
