// A network that fails in the middle: nothing is asked twice, nothing is lost, and the user is told.
import type { Route } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type HostPage, type WidgetFixture, startWidgetFixture, openHostPage } from './hostPage.ts';
import { answer, selectInstitution, press, signIn } from './widgetSteps.ts';

let stage: WidgetFixture;
beforeAll(async () => {
  stage = await startWidgetFixture();
});
afterAll(() => stage.close());

const offlineMessage = (host: HostPage) =>
  host.widget.getByText('No connection to the service. Trying again…');

/** Lets one request through to the service and loses its answer. Resolves to the promise that it has happened. */
const dropResponse = async (host: HostPage, to: string): Promise<{ happened: Promise<void> }> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const lose = async (route: Route) => {
    await route.fetch();
    await route.abort();
    resolve();
  };
  await host.page.route(to, lose, { times: 1 });
  return { happened: promise };
};

test.concurrent('a step whose answer is lost is not taken twice', async () => {
  const host = await openHostPage(stage);
  const sent: { version: number; step: { kind: string } }[] = [];
  host.page.on('request', (request) => {
    if (request.url().endsWith('/steps')) sent.push(request.postDataJSON());
  });
  await host.open();
  await selectInstitution(host.widget);
  const { happened } = await dropResponse(host, '**/steps');
  await signIn(host.widget, 'otp');
  await happened;
  await host.widget.getByLabel('Code sent').waitFor();
  expect(sent.filter(({ step }) => step.kind === 'credentials')).toHaveLength(1);
  expect(await offlineMessage(host).count()).toBe(0);
  await host.close();
});

test.concurrent('a step that never arrived is taken when the network is back, and the user is told', async () => {
  const host = await openHostPage(stage);
  await host.open();
  await selectInstitution(host.widget);
  await host.page.context().setOffline(true);
  await signIn(host.widget, 'otp');
  await offlineMessage(host).waitFor();
  expect(await host.widget.getByLabel('Username').isDisabled()).toBe(true);
  await host.page.context().setOffline(false);
  await host.widget.getByLabel('Code sent').waitFor();
  await answer(host.widget, 'Code sent', '123456');
  await host.widget.getByRole('checkbox').first().waitFor();
  await host.close();
});

test.concurrent('an opening without a network waits for it', async () => {
  const host = await openHostPage(stage);
  await host.expectEvents('onInit');
  await host.page.context().setOffline(true);
  await host.open();
  await offlineMessage(host).waitFor();
  await host.page.context().setOffline(false);
  await host.widget.getByRole('button', { name: 'Continue' }).waitFor();
  await host.close();
});

test.concurrent('a result is acknowledged until the service has heard it, also after the widget is closed', async ({
  expect,
}) => {
  const host = await openHostPage(stage);
  await host.open();
  await selectInstitution(host.widget);
  await signIn(host.widget, 'twins');
  await host.widget.getByRole('checkbox').waitFor();
  const failed: string[] = [];
  await host.page.route('**/acknowledgement', (route) => {
    failed.push(route.request().url());
    return route.abort();
  });
  await press(host.widget, 'Continue');
  await host.expectEvents('onInit', 'onSuccess');
  await press(host.widget, 'Done');
  await expect.poll(() => failed.length).toBe(1);
  await host.page.unroute('**/acknowledgement');
  const heard = await host.page.waitForResponse((response) => response.url().endsWith('/acknowledgement'));
  expect(heard.status()).toBe(204);
  const { connectionId, scopedToken } = await host.result();
  const path = { connectionId };
  const { data } = await stage.service
    .client(scopedToken)
    .GET('/connections/{connectionId}', { params: { path } });
  expect(data?.connection.id).toBe(connectionId);
  await host.close();
});
