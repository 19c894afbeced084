// Tests of the end users' input: setup tokens and access URLs, which may lead only to servers in public networks or in those that
// the operator lists.
import { createServer } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import type { SignInResult } from '@bank-connection/connector-kit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type FakeAnswer, type FakeServer, startFakeServer, toSetupToken } from './fakeServer.ts';
import { call, fakeAccount, institutionId, makeModule } from './fixture.ts';

let server: FakeServer;
beforeAll(async () => {
  server = await startFakeServer();
  server.connections = [{ id: 'CON-1', bank: 'First Bank', accounts: [fakeAccount('A1')] }];
});
beforeEach(() => {
  server.intercept = () => undefined;
  server.requests.length = 0;
});
afterAll(() => server.close());

type Options = { networks?: string[]; deviceToken?: string };

const signIn = (token: string, { networks, deviceToken }: Options = {}): Promise<SignInResult> =>
  makeModule(networks).connector.signIn(
    { institution: { id: institutionId }, credentials: { token }, deviceToken, attended: true },
    call,
  );

const requestsReceived = (): string[] => server.requests.map(({ method, path }) => `${method} ${path}`);

describe('a setup token', () => {
  test('is exchanged for the access URL by one request', async () => {
    const step = await signIn(server.makeSetupToken());
    if (step.kind !== 'signedIn') throw new Error('SimpleFIN has no challenges.');
    expect(step.deviceToken).toBe(step.access);
    expect(requestsReceived()).toEqual([expect.stringMatching(/^POST \/simplefin\/claim\//)]);
    const accounts = await makeModule().connector.accounts(step.access, call);
    expect(accounts.map(({ id }) => id)).toEqual(['A1']);
  });

  test('may be pasted with spaces, line ends, and without its padding', async () => {
    for (const spoil of [
      (token: string) => `  ${token}\n`,
      (token: string) => token.replace(/.{20}/g, '$& \r\n'),
      (token: string) => token.replace(/=+$/, ''),
    ]) {
      expect(await signIn(spoil(server.makeSetupToken()))).toMatchObject({ kind: 'signedIn' });
    }
  });

  test('is refused if it was used before', async () => {
    const token = server.makeSetupToken();
    await signIn(token);
    await expect(signIn(token)).rejects.toMatchObject({ reason: 'wrong_credentials' });
  });

  test.each([
    ['is empty', ''],
    ['is no base64', 'not a token!'],
    ['has the URL-safe alphabet', `${toSetupToken('https://simplefin.example/claim/x')}-_`],
    ['contains no URL', toSetupToken('simplefin.example')],
    ['contains another kind of URL', toSetupToken('ftp://simplefin.example/claim')],
    ['contains a fragment', toSetupToken('https://simplefin.example/claim#part')],
    ['contains credentials', toSetupToken('https://a:b@simplefin.example/claim')],
    ['contains an endless URL', toSetupToken(`https://simplefin.example/${'x'.repeat(2000)}`)],
  ])('that %s is refused without a request', async (_, token) => {
    await expect(signIn(token)).rejects.toMatchObject({ reason: 'wrong_credentials' });
  });

  const claimAnswers: [name: string, answer: FakeAnswer, reason: string][] = [
    ['403', { status: 403 }, 'wrong_credentials'],
    ['404', { status: 404 }, 'wrong_credentials'],
    ['402', { status: 402 }, 'user_action_required'],
    ['429', { status: 429 }, 'rate_limited'],
    ['500', { status: 500 }, 'down'],
    ['204', { status: 204 }, 'incomplete'],
    ['no access URL', { body: '<html></html>' }, 'wrong_credentials'],
    ['an access URL without a password', { body: 'https://user@simplefin.example/' }, 'wrong_credentials'],
    ['an access URL of a private network', { body: 'https://user:pass@10.0.0.1/' }, 'wrong_credentials'],
    ['an access URL without TLS', { body: 'http://user:pass@93.184.215.14/' }, 'wrong_credentials'],
    ['a page of any length', { body: 'x'.repeat(10_000) }, 'incomplete'],
    ['a redirect', { status: 302, headers: { Location: '/simplefin/claim/other' } }, 'wrong_credentials'],
  ];
  test.each(claimAnswers)('that is answered by %s ends as it should', async (_, answer, reason) => {
    server.intercept = () => answer;
    await expect(signIn(server.makeSetupToken())).rejects.toMatchObject({ reason });
    expect(server.requests).toHaveLength(1);
  });
});

describe('an access URL', () => {
  test('of a server that does not speak TLS is refused with that reason for the log', async () => {
    const accessUrl = server.makeAccessUrl().replace('http:', 'https:');
    await expect(signIn(accessUrl)).rejects.toMatchObject({
      ...{ reason: 'down', cause: { code: 'tls_not_spoken' } },
    });
  });

  test('is checked by one request for balances', async () => {
    const accessUrl = server.makeAccessUrl();
    expect(await signIn(` ${accessUrl}\n`)).toEqual({
      ...{ kind: 'signedIn', access: accessUrl, deviceToken: accessUrl },
    });
    expect(requestsReceived()).toEqual(['GET /simplefin/accounts']);
    const { parameters } = server.requests[0]!;
    expect(parameters.get('balances-only')).toBe('1');
    expect(parameters.get('version')).toBe('2');
  });

  test('may end with a slash', async () => {
    await signIn(`${server.makeAccessUrl()}/`);
    expect(requestsReceived()).toEqual(['GET /simplefin/accounts']);
  });

  test('is used without any request once it is the device token', async () => {
    const accessUrl = server.makeAccessUrl();
    expect(await signIn('a setup token of long ago', { deviceToken: accessUrl })).toEqual({
      ...{ kind: 'signedIn', access: accessUrl, deviceToken: accessUrl },
    });
    expect(server.requests).toEqual([]);
  });

  test.each([
    ['whose credentials are wrong', () => server.makeAccessUrl().replace('p%25', 'p%250')],
    ['without a password', () => server.makeAccessUrl().replace(/:p%25[\w-]+@/, '@')],
    ['without credentials', () => server.makeAccessUrl().replace(/\/\/.*@/, '//')],
    ['with a user that cannot be decoded', () => 'https://a%ff:b@simplefin.example/'],
    ['with a fragment', () => `${server.makeAccessUrl()}#part`],
    ['of a page that does not exist', () => `${server.makeAccessUrl()}/nowhere`],
  ])('%s is refused', async (_, accessUrl) => {
    await expect(signIn(accessUrl())).rejects.toMatchObject({ reason: 'wrong_credentials' });
  });

  test('that is redirected is refused, and the redirect is not followed', async () => {
    const location = server.makeAccessUrl();
    server.intercept = () => ({ status: 307, headers: { Location: `${location}/accounts` } });
    await expect(signIn(server.makeAccessUrl())).rejects.toMatchObject({ reason: 'wrong_credentials' });
    expect(server.requests).toHaveLength(1);
  });

  test('of a server that does not answer is not wrong', async () => {
    const closed = await startFakeServer();
    const accessUrl = closed.makeAccessUrl();
    await closed.close();
    await expect(signIn(accessUrl)).rejects.toMatchObject({ reason: 'down' });
  });
});

describe('the address of a server', () => {
  let connections = 0;
  let port: number;
  const listener = createServer((_, response) => response.end());
  listener.on('connection', () => {
    connections += 1;
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => listener.listen(0, resolve));
    port = (listener.address() as AddressInfo).port;
  });
  beforeEach(() => {
    connections = 0;
  });
  afterAll(() => new Promise((resolve) => listener.close(resolve)));

  const refusedHosts: [scheme: string, host: string, networks: string[]][] = [
    // Loopback, unless the operator lists it.
    ['http', '127.0.0.1', []],
    ['https', '127.0.0.1', []],
    ['http', 'localhost', []],
    ['https', 'localhost', []],
    ['http', '[::1]', ['127.0.0.0/8']],
    ['http', '127.0.0.2', ['127.0.0.1']],
    ['http', '2130706433', []],
    // A private network, which is reachable only over https, and only if listed.
    ['https', '10.0.0.1', []],
    ['https', '169.254.169.254', []],
    ['https', '[::ffff:10.0.0.1]', []],
    ['http', '10.0.0.1', ['10.0.0.0/8']],
    // Plain http in a public network.
    ['http', '93.184.215.14', []],
    ['http', 'simplefin.example', ['127.0.0.0/8']],
    ['http', '127.0.0.1.example', ['127.0.0.0/8']],
  ];
  test.each(refusedHosts)('%s://%s is refused if %j is listed', async (scheme, host, networks) => {
    const url = `${scheme}://user:password@${host}:${port}/simplefin`;
    await expect(signIn(url, { networks })).rejects.toMatchObject({ reason: 'wrong_credentials' });
    const token = toSetupToken(`${scheme}://${host}:${port}/claim/x`);
    await expect(signIn(token, { networks })).rejects.toMatchObject({ reason: 'wrong_credentials' });
    expect(connections).toBe(0);
  });

  test('is refused where a name leads to a private network', async () => {
    const lookup: LookupFunction = (_, options, callback) =>
      options.all ? callback(null, [{ address: '127.0.0.1', family: 4 }]) : callback(null, '127.0.0.1', 4);
    const { connector } = makeModule([], {}, lookup);
    for (const token of [
      `https://user:password@simplefin.example:${port}/simplefin`,
      toSetupToken(`https://simplefin.example:${port}/claim/x`),
    ]) {
      const refused = connector.signIn(
        { institution: { id: institutionId }, credentials: { token }, attended: true },
        call,
      );
      await expect(refused).rejects.toMatchObject({ reason: 'wrong_credentials' });
    }
    expect(connections).toBe(0);
  });

  test('of an access that was valid makes the server unreachable, and does not end the access', async () => {
    const accessUrl = `https://user:password@127.0.0.1:${port}/simplefin`;
    const { connector } = makeModule([]);
    await expect(connector.accounts(accessUrl, call)).rejects.toMatchObject({ reason: 'down' });
    await expect(connector.read(accessUrl, {}, call)).rejects.toMatchObject({ reason: 'down' });
    expect(connections).toBe(0);
  });
});
