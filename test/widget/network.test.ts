// Network failures: no step runs twice, no result is lost, and the user is informed.
import type { Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HostPage, openHostPage, startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { openSignIn, press, proceed, signIn } from './widgetSteps.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

const offlineMessage = (host: HostPage) => host.widget.getByText('No connection. Trying again…');

/** Drops the response to the next request with this URL. `dropped` resolves when that has happened. */
const dropResponse = async (host: HostPage, url: string): Promise<{ dropped: Promise<void> }> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const drop = async (route: Route) => {
    await route.fetch();
    await route.abort();
    resolve();
  };
  await host.page.route(url, drop, { times: 1 });
  return { dropped: promise };
};

test.concurrent('a step whose response is lost does not run twice', async () => {
  const host = await openSignIn(fixture);
  const sent: { version: number; step: { kind: string } }[] = [];
  host.page.on('request', (request) => {
    if (request.url().endsWith('/steps')) sent.push(request.postDataJSON());
  });
  const { dropped } = await dropResponse(host, '**/steps');
  await signIn(host.widget, 'otp');
  await dropped;
  await host.widget.getByLabel('Code sent').waitFor();
  expect(sent.filter(({ step }) => step.kind === 'credentials')).toHaveLength(1);
  expect(await offlineMessage(host).count()).toBe(0);
  await host.close();
});

test.concurrent('an open without a network waits for it', async () => {
  const host = await openHostPage(fixture);
  await host.expectEvents('onInit');
  await host.page.context().setOffline(true);
  await host.open();
  await offlineMessage(host).waitFor();
  await host.page.context().setOffline(false);
  await host.widget.locator('[data-action=continue]').waitFor();
  await host.close();
});

test.concurrent('the acknowledgement is retried, also after the widget is closed', async ({ expect }) => {
  const host = await openSignIn(fixture);
  await signIn(host.widget, 'twins');
  await host.widget.getByRole('checkbox').waitFor();
  const failed: string[] = [];
  await host.page.route('**/acknowledgement', (route) => {
    failed.push(route.request().url());
    return route.abort();
  });
  await proceed(host.widget);
  await host.expectEvents('onInit', 'onSuccess');
  await press(host.widget, 'Done');
  // On a slow machine it is retried more than once meanwhile.
  await expect.poll(() => failed.length).toBeGreaterThan(0);
  const acknowledged = host.page.waitForResponse((response) => response.url().endsWith('/acknowledgement'));
  await host.page.unroute('**/acknowledgement');
  expect((await acknowledged).status()).toBe(204);
  const { connectionId, scopedToken } = await host.result();
  const path = { connectionId };
  const { data } = await fixture.service
    .client(scopedToken)
    .GET('/connections/{connectionId}', { params: { path } });
  expect(data?.connection.id).toBe(connectionId);
  await host.close();
});
