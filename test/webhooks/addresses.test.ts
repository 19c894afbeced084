// Webhooks go only to public addresses, however an address is written and whichever name resolves to it.
import { createServer } from 'node:http';
import type { AddressInfo, LookupFunction } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { makeGuardedSender } from '../../connectors/kit/guardedRequest.ts';
import { makeIpFilter } from '../../connectors/kit/ipFilter.ts';
import { checkWebhookUrl } from '../../src/domain/webhooks/endpoints.ts';
import { makeWebhookSender, type SendWebhook } from '../../src/domain/webhooks/sendWebhook.ts';
import { OperatorError } from '../../src/platform/values/errors.ts';
import { link } from '../support/testService.ts';
import { createEndpoint, startWebhookService, type TestService, webhooksCommand } from './fixture.ts';
import { startReceiver } from './receiver.ts';

const isPublic = makeIpFilter([]);
/** Longer than a DNS label may be, so no resolver resolves it, not even one that resolves every unknown name. */
const unknownName = `${'x'.repeat(64)}.invalid`;
const senderFor = (...guard: Parameters<typeof makeGuardedSender>): SendWebhook =>
  makeWebhookSender(makeGuardedSender(...guard));

/** Loopback in many spellings, private networks, and addresses that map to these. */
const forbiddenHosts = [
  ...['127.0.0.1', '127.1', '2130706433', '0x7f000001', '0177.0.0.1', '127.0.0.1.', '127.8.9.10', '0.0.0.0'],
  ...['[::1]', '[::]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::127.0.0.1]'],
  ...['[64:ff9b::7f00:1]', '[2002:7f00:1::]', '[fec0::1]', '%31%32%37.0.0.1', '１２７.0.0.1'],
  ...['10.0.0.1', '172.16.0.1', '192.168.1.1', '100.64.0.1', '169.254.169.254', '[fe80::1]', '[fd00::1]'],
  ...['[fd00:ec2::254]', '[::ffff:169.254.169.254]', '224.0.0.1', '255.255.255.255', '192.0.2.1'],
  // The name of this machine, and Azure's host service, which is unreachable from other networks.
  ...['localhost', '168.63.129.16'],
];

describe('the addresses of webhooks', () => {
  /** A server on all addresses of this machine: the number of requests that it received, and an attempt to send it one. */
  const startServer = async () => {
    const counted = { requests: 0 };
    const server = createServer((_, response) => {
      counted.requests += 1;
      response.end();
    });
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    const { port } = server.address() as AddressInfo;
    const attempt = (send: SendWebhook, host: string) =>
      send({
        ...{ url: `http://${host}:${port}/`, headers: {}, body: '{}', timeoutMs: 5000 },
        ...{ now: () => new Date(), signal: new AbortController().signal },
      });
    return { counted, attempt };
  };

  test.each(forbiddenHosts)('%s is refused, as a setting and when it is connected to', async (host) => {
    expect(() => checkWebhookUrl(`http://${host}/`, 'sandbox', isPublic)).toThrow(OperatorError);
    const { counted, attempt } = await startServer();
    expect(await attempt(senderFor(isPublic), host)).toEqual({ error: 'forbidden_address' });
    expect(counted.requests).toBe(0);
  });

  /** Resolves every name to these addresses, one list for each call; the last one is repeated. */
  const lookupOf = (...answers: string[][]): LookupFunction => {
    const resolve = vi.fn((_, options, callback) => {
      const addresses = answers[Math.min(resolve.mock.calls.length, answers.length) - 1]!;
      const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      if (options.all) callback(null, found);
      else callback(null, found[0]!.address, found[0]!.family);
    });
    return resolve as unknown as LookupFunction;
  };

  test('a name that has one forbidden address among others is refused', async () => {
    const { counted, attempt } = await startServer();
    const send = senderFor(isPublic, lookupOf(['93.184.215.14', '127.0.0.1']));
    expect(await attempt(send, 'shop.example')).toEqual({ error: 'forbidden_address' });
    expect(counted.requests).toBe(0);
  });

  test('a name that is rebound between two attempts is refused at the second', async () => {
    // The first address is allowed and responds, which shows that each attempt is checked.
    const { counted, attempt } = await startServer();
    const isAllowed = makeIpFilter(['127.0.0.2']);
    const send = senderFor(isAllowed, lookupOf(['127.0.0.2'], ['127.0.0.1']));
    expect(await attempt(send, 'shop.example')).toEqual({ status: 200 });
    expect(await attempt(send, 'shop.example')).toEqual({ error: 'forbidden_address' });
    expect(counted.requests).toBe(1);
  });

  test('an unknown name is distinguished', async () => {
    const { attempt } = await startServer();
    expect(await attempt(senderFor(isPublic), unknownName)).toEqual({ error: 'name_not_found' });
  });

  test('the operator may list networks', async () => {
    const isAllowed = makeIpFilter(['127.0.0.0/8', '::1', 'fd00::/8']);
    const allowed = ['127.0.0.1', '::1', 'fd12::1', '::ffff:127.0.0.1', '93.184.215.14'];
    expect([...allowed, '10.0.0.1', 'fe80::1', '::2'].filter(isAllowed)).toEqual(allowed);
    const { attempt } = await startServer();
    expect(await attempt(senderFor(isAllowed), '127.0.0.1')).toEqual({ status: 200 });
  });
});

describe('the URL of an endpoint', () => {
  test.each([
    ['shop.example/webhooks', 'must look like https://example.com/webhooks'],
    ['http:///shop.example', 'must look like https://example.com/webhooks'],
    ['https:/shop.example/', 'must look like https://example.com/webhooks'],
    ['ftp://shop.example/', 'must look like https://example.com/webhooks'],
    [`https://shop.example/${'x'.repeat(2000)}`, 'must look like https://example.com/webhooks'],
    ['https://user:secret@shop.example/', 'must not contain a user name or password'],
    ['https://shop.example/#part', 'must not contain a fragment (#)'],
  ])('%s is refused', (url, message) => {
    expect(() => checkWebhookUrl(url, 'sandbox', isPublic)).toThrow(message);
  });

  test('must be https for a Production application', () => {
    expect(() => checkWebhookUrl('http://shop.example/', 'production', isPublic)).toThrow(/https/);
    expect(checkWebhookUrl('http://shop.example/', 'sandbox', isPublic)).toBe('http://shop.example/');
    expect(checkWebhookUrl('https://shop.example', 'production', isPublic)).toBe('https://shop.example/');
  });

  test('is refused by the command line with the remedy', async () => {
    const service = await startWebhookService({ env: { ALLOWED_NETWORKS: '10.0.0.0/8' } });
    const { application } = service;
    const create = (url: string) =>
      webhooksCommand(service, 'create', '--application', application.id, '--url', url);
    expect((await create('http://127.0.0.1/')).err).toBe(
      '--url must not be an address in a private network, unless the operator lists it in ALLOWED_NETWORKS, for this command as for the service.\n',
    );
    expect((await create('http://10.1.2.3/')).code).toBe(0);
  });

  test('that was changed in the database gets no signed event', async () => {
    const service = await startWebhookService();
    const attacker = await startReceiver();
    const { endpointId: id } = await createEndpoint(service, `http://127.0.0.1:9/`);
    await service.service.db.write('webhook_endpoints').where({ id }).update({ url: attacker.url });
    await attemptAnEvent(service);
    expect(attacker.received).toEqual([]);
  });

  test('that was moved to another application in the database gets no signed event', async () => {
    const service = await startWebhookService();
    const attacker = await startReceiver();
    const own = await service.addApplication();
    const { endpointId: id } = await createEndpoint(service, attacker.url, own.id);
    const { id: applicationId } = service.application;
    await service.service.db.write('webhook_endpoints').where({ id }).update({ applicationId });
    await attemptAnEvent(service);
    expect(attacker.received).toEqual([]);
  });

  /** Links a connection, and waits for the first attempt of its event. */
  const attemptAnEvent = async (service: TestService): Promise<void> => {
    await link(service);
    const delivery = () => service.service.db.read('webhook_deliveries').first('attempts');
    await expect.poll(delivery).toEqual({ attempts: 1 });
  };
});
