// What the application is told of the user's way through the widget, and what it is never told.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ConnectEvent, ConnectMetadata } from '../../widget/types.ts';
import { type HostPage, openHostPage, startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { openSignIn, press, proceed, shareAll, signIn } from './widgetSteps.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

const eventsOf = ({ page }: HostPage): Promise<[ConnectEvent, ConnectMetadata][]> =>
  page.evaluate(() => window.widgetEvents);

const namesOf = async (host: HostPage): Promise<ConnectEvent[]> =>
  (await eventsOf(host)).map(([name]) => name);

const waitForEvent = (host: HostPage, name: ConnectEvent) =>
  host.page.waitForFunction((last) => window.widgetEvents.some(([one]) => one === last), name);

describe('onEvent and onExit', () => {
  test('tell of each step to the connection, with the link session', async () => {
    const host = await openSignIn(fixture);
    await signIn(host.widget, 'otp');
    await waitForEvent(host, 'challenge_shown');
    await host.widget.getByRole('textbox').fill('111111');
    await proceed(host.widget);
    await host.widget.getByRole('alert').waitFor();
    await host.widget.getByRole('textbox').fill('123456');
    await proceed(host.widget);
    await shareAll(host.widget);
    await waitForEvent(host, 'connected');
    await press(host.widget, 'Done');
    // onSuccess was called before: the success screen stays open.
    await waitForEvent(host, 'closed');
    await host.expectEvents('onInit', 'onSuccess');
    expect(await namesOf(host)).toEqual([
      ...['opened', 'consent_given', 'institution_selected', 'credentials_submitted', 'challenge_shown'],
      ...['challenge_answered', 'failed', 'challenge_answered', 'accounts_selected', 'import_started'],
      ...['connected', 'closed'],
    ]);
    const { linkSessionId } = await host.result();
    expect(linkSessionId).toMatch(/^lks_/);
    const events = await eventsOf(host);
    const selected = { linkSessionId, institutionId: 'sandbox-bank' };
    expect(events[0]).toEqual(['opened', { linkSessionId }]);
    expect(events[2]).toEqual(['institution_selected', selected]);
    expect(events[4]).toEqual(['challenge_shown', { ...selected, challengeKind: 'code' }]);
    expect(events[6]).toEqual(['failed', { ...selected, challengeKind: 'code', reason: 'wrong_answer' }]);
    expect(events.at(-1)).toEqual(['closed', selected]);
    // Nothing that was typed, and nothing of the accounts.
    expect(JSON.stringify(events)).not.toMatch(/otp|password|123456|Checking|sct_/);
    await host.close();
  });

  test('say where the user left, and why, and have no error without a failure', async () => {
    const host = await openHostPage(fixture, { institutionId: 'sandbox-bank' });
    await host.open();
    await waitForEvent(host, 'opened');
    await host.page.evaluate(() => window.widget.close());
    const linkSessionId = expect.stringMatching(/^lks_/);
    await host.expectEvents('onInit', 'onExit');
    expect((await host.events()).at(-1)).toEqual(['onExit', null, { linkSessionId }]);
    await host.page.evaluate(() => (window.widgetEvents = []));
    await host.open();
    await proceed(host.widget);
    await signIn(host.widget, 'good', 'wrong');
    await host.widget.getByRole('alert').waitFor();
    await press(host.widget, 'Close');
    await host.expectEvents('onInit', 'onExit', 'onExit');
    const reason = 'wrong_credentials';
    const metadata = { linkSessionId, institutionId: 'sandbox-bank', reason };
    expect((await host.events()).at(-1)).toEqual(['onExit', { reason }, metadata]);
    expect(await namesOf(host)).toEqual([
      ...['opened', 'consent_given', 'institution_selected', 'credentials_submitted', 'failed', 'closed'],
    ]);
    await host.close();
  });
});

test('the acknowledgement is retried, also after the widget is closed', async () => {
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
