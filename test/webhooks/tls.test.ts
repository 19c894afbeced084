// Reports why a TLS endpoint cannot be reached, in `webhooks test` (with a certificate in NODE_EXTRA_CA_CERTS) and in the
// dashboard.
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { type AddressInfo, createServer as createPlainServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { certificates, key } from '../support/certificates.ts';
import { cliSettingsOf, runCliProcess, temporaryDirectory } from '../support/cli.ts';
import { createEndpoint, startWebhookService } from './fixture.ts';

const listen = async (server: Server): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
};

const serveWith = (cert: string) => () =>
  createServer({ key, cert }, (_request, response) => response.writeHead(204).end());
const plainHttp = () =>
  createPlainServer((socket) =>
    socket.on('error', () => {}).once('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')),
  );

type Case = [what: string, makeServer: () => Server, trusted: string, error: string | null, words: string];
const { valid, expired, notYetValid, otherHost } = certificates;
const cases: Case[] = [
  ['a certificate that is trusted', serveWith(valid), valid, null, 'The endpoint responded with 204.'],
  [
    ...(['an unknown authority', serveWith(valid), otherHost, 'certificate_untrusted'] as const),
    'The certificate authority is unknown. Add it with NODE_EXTRA_CA_CERTS.',
  ],
  [
    ...(['an expired certificate', serveWith(expired), expired, 'certificate_expired'] as const),
    'The certificate has expired.',
  ],
  [
    ...(['a certificate of the future', serveWith(notYetValid), notYetValid] as const),
    ...(['certificate_not_yet_valid', 'The certificate is not valid yet.'] as const),
  ],
  [
    ...(['another host name', serveWith(otherHost), otherHost, 'certificate_wrong_host'] as const),
    'The certificate is for another host name.',
  ],
  ['plain http', plainHttp, valid, 'tls_not_spoken', 'The endpoint did not respond with TLS.'],
  // The server has no certificate, so that the handshake fails.
  ['any other failure', () => createServer(), valid, 'tls_failed', 'The TLS connection failed.'],
];

test.for(cases)('%s', async ([, makeServer, trusted, lastError, words]) => {
  const service = await startWebhookService({ worker: false });
  const { path, remove } = await temporaryDirectory();
  onTestFinished(remove);
  const NODE_EXTRA_CA_CERTS = join(path, 'trusted.pem');
  await writeFile(NODE_EXTRA_CA_CERTS, trusted);
  const { endpointId } = await createEndpoint(service, await listen(makeServer()));
  const networks = { ALLOWED_NETWORKS: '127.0.0.1', NODE_EXTRA_CA_CERTS };
  const settings = { ...cliSettingsOf(service.service.config), ...networks };
  const { code, out, err } = await runCliProcess(settings, 'webhooks', 'test', endpointId);
  expect({ code, out: out.replace(/^evt_\w+: /, '') }, err).toEqual({
    ...{ code: lastError === null ? 0 : 1, out: `${words}\n` },
  });
  expect(await service.service.db.read('webhook_deliveries').first('lastError')).toEqual({ lastError });
});
