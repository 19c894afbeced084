// The quickstart example works as its README describes.
import { afterEach, expect, test } from 'vitest';
import { transactions, unwrap } from '../client/index.ts';
import { claimAccessUrl, readSet } from './simplefin/fixture.ts';
import { launchBrowser } from './support/browser.ts';
import { cliSettingsOf, runInCliServer } from './support/cli.ts';
import { freePort } from './support/freePort.ts';
import { linkInWidget } from './support/linkInWidget.ts';
import { startExample } from './support/startExample.ts';
import { hostOrigin, startService, type TestService } from './support/testService.ts';
import { createEndpoint } from './webhooks/fixture.ts';

let service: TestService;

afterEach(() => service.close());

test('the example of webhooks keeps a copy of transactions, without a browser', async () => {
  service = await startService({
    systemTime: true,
    env: { ALLOWED_NETWORKS: '127.0.0.1' },
    limits: { webhookPollMs: 50 },
  });
  const PORT = String(await freePort());
  const { id, apiKey } = await service.addApplication();
  const { secret } = await createEndpoint(service, `http://127.0.0.1:${PORT}`, id);
  const env = { APPLICATION_ID: id, API_KEY: apiKey, WEBHOOK_SECRET: secret, ORIGIN: hostOrigin };
  const output = await startExample(
    'examples/webhooks/server.ts',
    { BASE_URL: service.url, PORT, ...env },
    /Connected con_/,
  );
  await expect.poll(output).toMatch(/connection\.created evt_/);
  const counts = () => [...output().matchAll(/(acc_\w+): (\d+) transactions/g)];
  const [, account, before] = counts()[0]!;
  const settings = cliSettingsOf(service.service.config);
  expect(await runInCliServer(settings, 'sandbox', 'advance', '--days', '3')).toMatchObject({ code: 0 });
  await expect.poll(output).toMatch(/transactions\.updated evt_/);
  const isMore = () => counts().some(([, id, count]) => id === account && Number(count) > Number(before));
  await expect.poll(isMore).toBe(true);
  const forged = await fetch(`http://127.0.0.1:${PORT}`, { method: 'POST', body: '{}' });
  expect(forged.status).toBe(400);
});

test('the quickstart connects a bank, stores the token only on its backend, and reads the connection', async () => {
  service = await startService();
  const PORT = String(await freePort());
  const origin = `http://localhost:${PORT}`;
  const { id, apiKey } = await service.addApplication({ origins: [origin] });
  const env = { BASE_URL: service.url, APPLICATION_ID: id, API_KEY: apiKey, PORT };
  await startExample('examples/quickstart/server.ts', env);

  const page = await (await launchBrowser()).newPage();
  const tokenRequest = page.waitForRequest(`${origin}/connected`);
  await page.goto(origin);
  expect(await page.content()).not.toContain(apiKey);
  await page.getByRole('button', { name: 'Connect a bank' }).click();
  await linkInWidget(page, { username: 'otp', answers: ['123456'] });
  await expect.poll(() => page.locator('#data').innerText()).toContain('transactions');
  const status = await page.locator('#data').innerText();
  await page.getByRole('button', { name: 'Read these accounts in another application' }).click();
  await expect.poll(() => page.locator('#token').innerText()).toMatch(/^[A-Za-z0-9+/]+=*$/);
  const accessUrl = await claimAccessUrl(await page.locator('#token').innerText());
  expect((await readSet(accessUrl)).accounts.length).toBeGreaterThan(0);

  const { scopedToken } = (await tokenRequest).postDataJSON();
  const client = service.client(scopedToken, apiKey);
  const { connections } = await unwrap(client.GET('/connections', {}));
  const params = { path: { connectionId: connections[0]!.id } };
  const { accounts } = await unwrap(client.GET('/connections/{connectionId}/accounts', { params }));
  for (const { id, name, balance, currency } of accounts) {
    let count = 0;
    for await (const _ of transactions(client, id)) count++;
    expect(status).toContain(`${name}: ${balance.current!.toFixed(2)} ${currency}`);
    expect(status).toContain(`  ${count} transactions`);
  }

  for (const site of ['cross-site', 'same-site', 'none']) {
    const request = { method: 'POST', headers: { 'sec-fetch-site': site }, body: '{}' };
    expect([site, (await fetch(`${origin}/connected`, request)).status]).toEqual([site, 403]);
  }

  // A second connection of the same user has no token: the backend uses the stored one.
  await page.getByRole('button', { name: 'Connect a bank' }).click();
  await linkInWidget(page, { username: 'jpy' });
  await expect.poll(() => page.locator('#data').innerText()).toContain('JPY');
});
