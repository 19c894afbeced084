// A proxy that TRUSTED_PROXIES does not list: its header is ignored, and the operator gets one warning.
import { expect, onTestFinished, test } from 'vitest';
import { startService } from '../support/testService.ts';
import { createMember } from './dashboard/users.ts';

/** The warnings in the log, and the proxy in the overview, after three requests through a proxy on this machine. */
const requestThroughProxy = async (TRUSTED_PROXIES: string) => {
  const warnings: object[] = [];
  const service = await startService({
    worker: false,
    env: { TRUSTED_PROXIES },
    logTo: (line) => {
      const { msg, peer, setting } = JSON.parse(line);
      if (msg === 'X-Forwarded-For ignored') warnings.push({ peer, setting });
    },
  });
  onTestFinished(() => service.close());
  const headers = { 'X-Forwarded-For': '203.0.113.7' };
  for (let count = 0; count < 3; count++) await fetch(`${service.url}/connections`, { headers });
  const viewer = await createMember(service, { role: 'viewer', email: 'viewer@example.com' });
  const overview = await viewer.fetch(`/management/applications/${service.application.id}/overview`);
  return { warnings, ignoredProxy: (await overview.json()).ignoredProxy };
};

test('one warning names the proxy and the setting, and the overview names it', async () => {
  expect(await requestThroughProxy('10.0.0.0/8')).toEqual({
    warnings: [{ peer: '127.0.0.1', setting: 'TRUSTED_PROXIES' }],
    ignoredProxy: '127.0.0.1',
  });
});

test.for(['loopback', 'none'])('there is none with TRUSTED_PROXIES=%s', async (trusted) => {
  expect(await requestThroughProxy(trusted)).toEqual({ warnings: [], ignoredProxy: undefined });
});
