// The events that the application receives while the user links; test/page/events.test.ts has each step.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ConnectEvent } from '../../widget/types.ts';
import { type HostPage, openHostPage, startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { press, proceed, signIn } from './widgetSteps.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

const namesOf = ({ page }: HostPage): Promise<ConnectEvent[]> =>
  page.evaluate(() => window.widgetEvents.map(([name]) => name));

test('onEvent and onExit report the step and reason of leaving, without an error unless something failed', async () => {
  const host = await openHostPage(fixture, { institutionId: 'sandbox-bank' });
  await host.open();
  await host.page.waitForFunction(() => window.widgetEvents.length > 0);
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
});
