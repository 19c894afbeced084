// The SimpleFIN connector fulfills the contract with our own SimpleFIN server, which returns data from a sandbox bank.
import { afterAll, beforeAll } from 'vitest';
import { describeConnector } from '../../connectors/kit/conformance.ts';
import type { Credentials } from '../../connectors/kit/contract.ts';
import { institutionId, makeModule } from '../../connectors/simplefin/test/fixture.ts';
import { link, startService, type TestService } from '../support/testService.ts';
import { claimAccessUrl, createSetupToken } from './fixture.ts';

let service: TestService;
/** Set once the service has started. */
const accessUrl: Credentials = {};

beforeAll(async () => {
  service = await startService({ limits: { simplefinReadsPerDay: 1_000_000 } });
  const { scopedToken } = await link(service, { username: 'good' });
  const { apiKey } = service.application;
  const reader = { url: service.url, apiKey, scopedToken: scopedToken! };
  accessUrl.token = await claimAccessUrl(await createSetupToken(reader));
});
afterAll(() => service.close());

describeConnector('SimpleFIN with an access URL of our own server', {
  connect: () => makeModule(),
  ...{ institutionId, unattended: true, challenged: [] },
  user: accessUrl,
  wrong: { token: 'https://user@simplefin.example/simplefin' },
  now: new Date(),
});
