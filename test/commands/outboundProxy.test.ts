// HTTPS_PROXY and HTTP_PROXY: webhooks and connectors do not use them, and a start says so; the OpenID provider is reached through one.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import {
  cliSettingsOf,
  runCliProcess,
  type Settings,
  startLongRunning,
  temporaryDirectory,
} from '../support/cli.ts';
import { createEndpoint, startWebhookService } from '../webhooks/fixture.ts';
import { startReceiver } from '../webhooks/receiver.ts';

const msg = 'proxy not used: webhooks and connectors connect directly';
const url = 'http://user:hunter2@proxy.example:3128';

/** Starts a command, calls `use` with its address, stops it, and returns the warnings about a proxy. */
const warningsOf = async (
  settings: Settings,
  command: string[],
  use: (url: string) => Promise<unknown> = async () => {},
): Promise<unknown[]> => {
  const directory = await temporaryDirectory();
  onTestFinished(directory.remove);
  const { result, output, stop } = await startLongRunning(
    { DATA_DIR: directory.path, PORT: '0', LOG_LEVEL: 'warn', ...settings },
    ...command,
  );
  if (command[0] === 'serve') await use(`http://127.0.0.1:${result.port}`);
  expect(await stop()).toBe(0);
  expect(output.out + output.err).not.toContain('hunter2');
  const lines = output.err.split('\n').filter((line) => line.includes('proxy not used'));
  return lines.map((line) => JSON.parse(line)).map(({ msg, variables }) => ({ msg, variables }));
};

test('a start with a proxy warns once, with the names of the variables only', async () => {
  for (const name of ['HTTPS_PROXY', 'http_proxy', 'ALL_PROXY'])
    expect(await warningsOf({ [name]: url }, ['worker'])).toEqual([{ msg, variables: [name] }]);
  const both = { https_proxy: url, HTTP_PROXY: url };
  const [warning, ...more] = await warningsOf({ ...both, WEB_CONCURRENCY: '2' }, ['serve']);
  expect(more).toEqual([]);
  expect(warning).toEqual({ msg, variables: expect.arrayContaining(Object.keys(both)) });
});

test('a start warns of no proxy where none is set, or where nothing goes out', async () => {
  expect(await warningsOf({ HTTPS_PROXY: '', NO_PROXY: '*' }, ['worker'])).toEqual([]);
  expect(await warningsOf({ HTTPS_PROXY: url }, ['serve', '--no-worker'])).toEqual([]);
  // Users sign in at their banks there.
  const withConnector = { HTTPS_PROXY: url, CONNECTORS: 'simplefin' };
  expect(await warningsOf(withConnector, ['serve', '--no-worker'])).toHaveLength(1);
});

/** A proxy that refuses everything, and what it was asked for. */
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
  const service = await startWebhookService({ worker: false });
  const receiver = await startReceiver();
  const { endpointId } = await createEndpoint(service, receiver.url);
  const settings = { ...cliSettingsOf(service.service.config), ALLOWED_NETWORKS: '127.0.0.1' };
  const { code } = await runCliProcess({ ...settings, ...proxy.settings }, 'webhooks', 'test', endpointId);
  expect({ code, received: receiver.received.length, asked: proxy.asked }).toEqual({
    ...{ code: 0, received: 1, asked: [] },
  });
});

test('the OpenID provider is reached through the proxy only with NODE_USE_ENV_PROXY', async () => {
  const { settings, asked } = await startProxy();
  const provider = {
    ...{ OIDC_ISSUER: 'http://127.0.0.1:59999', OIDC_CLIENT_ID: 'bank', OIDC_CLIENT_SECRET: 'secret' },
  };
  const signIn = async (url: string) => {
    const headers = { Origin: url.replace('127.0.0.1', 'localhost'), 'Dashboard-Request': '1' };
    const { status } = await fetch(`${url}/dashboard/api/sign-in/oidc`, { method: 'POST', headers });
    expect(status).toBeGreaterThanOrEqual(400);
  };
  await warningsOf({ ...provider, ...settings, NODE_USE_ENV_PROXY: '' }, ['serve', '--no-worker'], signIn);
  expect(asked).toEqual([]);
  await warningsOf({ ...provider, ...settings }, ['serve', '--no-worker'], signIn);
  expect(asked).toEqual(['CONNECT 127.0.0.1:59999']);
});
