// The browser discards or reloads the host page while a user links, such as a phone while they are in their bank's app: the next
// `open` in this tab goes on with the link session, for the same user only, and not after they have closed the widget.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  type HostPage,
  type HostPageOptions,
  nextLinkSession,
  openHostPage,
  requestLinkSession,
  startWidgetFixture,
  type WidgetFixture,
} from './hostPage.ts';
import { answer, press, proceed, selectInstitution, shareAll, signIn } from './widgetSteps.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

type Session = Awaited<ReturnType<typeof nextLinkSession>>;

/** A user who has signed in, and to whom the bank now puts a challenge. */
const startLinking = async (
  username: string,
  options: HostPageOptions = {},
): Promise<{ host: HostPage; session: Session }> => {
  const host = await openHostPage(fixture, options);
  const created = nextLinkSession(host);
  await host.open();
  await selectInstitution(host.widget);
  await signIn(host.widget, username);
  return { host, session: await created };
};

const atCode = async (options: HostPageOptions = {}): ReturnType<typeof startLinking> => {
  const started = await startLinking('otp', options);
  await started.host.widget.getByLabel('Code sent').waitFor();
  return started;
};

const eventually = <Value>(read: () => Promise<Value>, expected: Value): Promise<void> =>
  vi.waitFor(async () => expect(await read()).toBe(expected), 30_000);

const expectFirstScreen = (host: HostPage): Promise<void> =>
  host.widget.getByRole('heading', { name: 'Let Shop read your bank data' }).waitFor();

const reasonOf = async (session: Session): Promise<string | undefined> =>
  (await (await requestLinkSession(fixture, session)).json()).view?.reason;

const keptIn = async (host: HostPage): Promise<string> =>
  (await host.frame()).evaluate(() => JSON.stringify({ ...sessionStorage }));

/** As where the browser discards the page, which learns nothing of it. */
const withoutPagehide = (page: Page): Promise<unknown> =>
  page.addInitScript(() => addEventListener('pagehide', (event) => event.stopImmediatePropagation(), true));

const finish = async (host: HostPage, { id }: Session): Promise<void> => {
  await shareAll(host.widget);
  await host.expectEvents('onInit', 'onSuccess');
  expect((await host.result()).linkSessionId).toBe(id);
  await eventually(() => keptIn(host), '{}');
  expect(host.consoleErrors).toEqual([]);
  await host.close();
};

describe.concurrent('a page that the browser has loaded again', () => {
  test.for([
    ['with an id', { externalUserId: 'user-1207' }],
    ['without an id', {}],
  ] as const)('goes on with the sign-in at the bank’s own page, of a user %s', async ([, options]) => {
    const { host, session } = await startLinking('redirect', options);
    const popup = host.page.waitForEvent('popup');
    await press(host.widget, 'Open Sandbox Bank');
    const bank = await popup;
    await host.reload();
    await bank.getByLabel('Password').fill('password');
    await bank.getByRole('button', { name: 'Sign in and allow access' }).click();
    const code = await bank.getByText(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/).textContent();
    await host.open();
    await host.widget.getByLabel('Code from the other window').fill(code!);
    await proceed(host.widget);
    await finish(host, session);
  });

  test('goes on with a code, and with an approval in the bank’s app', async () => {
    const { host, session } = await atCode({ externalUserId: 'user-code' });
    await host.reload();
    await host.open();
    await answer(host.widget, 'Code sent', '123456');
    await finish(host, session);
    const approval = await startLinking('push', { externalUserId: 'user-push' });
    await approval.host.widget.getByRole('heading', { name: 'Approve in your bank’s app' }).waitFor();
    await approval.host.reload();
    await approval.host.open();
    await finish(approval.host, approval.session);
  });

  test('delivers the result of an import that has finished meanwhile', async () => {
    const { host, session } = await startLinking('good', { externalUserId: 'user-import' });
    await host.page.route(/sessions\/lks_\w+$/, (route) => route.abort());
    await shareAll(host.widget);
    const isFinished = async () =>
      (await (await requestLinkSession(fixture, session)).json()).view.state === 'finished';
    await eventually(isFinished, true);
    await host.page.unroute(/sessions\/lks_\w+$/);
    await host.reload();
    await host.open();
    await host.expectEvents('onInit', 'onSuccess');
    expect((await host.result()).linkSessionId).toBe(session.id);
    await host.close();
  });

  test('goes on from every screen where the browser has discarded it, and tells the host its events', async () => {
    const host = await openHostPage(fixture, { externalUserId: 'user-early', before: withoutPagehide });
    const created = nextLinkSession(host);
    await host.open();
    await selectInstitution(host.widget);
    const { id } = await created;
    await host.widget.getByLabel('Username').waitFor();
    await host.reload();
    await host.open();
    await host.widget.getByLabel('Username').waitFor();
    expect(await host.page.evaluate(() => window.widgetEvents)).toEqual([['opened', { linkSessionId: id }]]);
    await host.close();
  });

  test('does not go on for another user, whose sign-in ends that of the first one', async () => {
    const { host, session } = await atCode({ externalUserId: 'user-one' });
    await host.reload({ externalUserId: 'user-two' });
    await host.open();
    await expectFirstScreen(host);
    await eventually(() => reasonOf(session), 'cancelled');
    expect(await keptIn(host)).not.toContain(session.secret);
    await host.reload({ externalUserId: 'user-one' });
    await host.open();
    await expectFirstScreen(host);
    await host.close();
  });

  test('does not go on without the id of the user, nor for another application', async () => {
    const { host } = await atCode({ externalUserId: 'user-three' });
    await host.reload({ externalUserId: undefined });
    await host.open();
    await expectFirstScreen(host);
    await host.close();
    const { id } = await fixture.service.addApplication();
    const other = await atCode({ externalUserId: 'user-four' });
    await other.host.reload({ applicationId: id });
    await other.host.open();
    await expectFirstScreen(other.host);
    await other.host.close();
  });

  test('does not go on after the user or the host has closed the widget', async () => {
    const closings = [
      async ({ widget }: HostPage) => {
        await press(widget, 'Close');
        await press(widget, 'Leave');
      },
      ({ page }: HostPage) => page.evaluate(() => window.widget.close()),
    ];
    for (const close of closings) {
      const { host, session } = await atCode({ externalUserId: 'user-closes' });
      await close(host);
      await host.expectEvents('onInit', 'onExit');
      await eventually(() => reasonOf(session), 'cancelled');
      expect(await keptIn(host)).toBe('{}');
      await host.reload();
      await host.open();
      await expectFirstScreen(host);
      await host.close();
    }
  });

  test('ends the session where it is closed, and keeps it where it is reloaded again, before the session is shown', async () => {
    const { host, session } = await atCode({ externalUserId: 'user-impatient' });
    const view = /sessions\/lks_\w+$/;
    await host.page.route(view, (route) =>
      route.request().method() === 'GET' ? undefined : route.continue(),
    );
    const openUnseen = async () => {
      await host.reload();
      const asked = host.page.waitForRequest(view);
      await host.open();
      await asked;
    };
    await openUnseen();
    await openUnseen();
    expect(await reasonOf(session)).toBeUndefined();
    await host.page.evaluate(() => window.widget.close());
    await eventually(() => reasonOf(session), 'cancelled');
    await host.close();
  });

  test('starts again where the session has ended meanwhile', async () => {
    const { host, session } = await atCode({ externalUserId: 'user-late' });
    await host.reload();
    await requestLinkSession(fixture, session, 'DELETE');
    await host.open();
    await expectFirstScreen(host);
    await host.close();
  });

  test('starts again, and cancels the session, where the browser blocks storage', async () => {
    const { host, session } = await atCode({
      externalUserId: 'user-blocked',
      before: (page) =>
        page.addInitScript(() =>
          Object.defineProperty(window, 'sessionStorage', {
            get: () => {
              throw new DOMException('denied', 'SecurityError');
            },
          }),
        ),
    });
    await host.reload();
    await eventually(() => reasonOf(session), 'cancelled');
    await host.open();
    await expectFirstScreen(host);
    expect(host.consoleErrors).toEqual([]);
    await host.close();
  });
});

test('a user without an id who comes to the page anew starts again', async () => {
  const { host, session } = await atCode();
  await host.page.goto(`${fixture.site.origin}/anew`);
  await host.page.evaluate((applicationId) => {
    window.widget = window.ServiceConnect!.init({ applicationId });
    window.widget.open();
  }, fixture.service.application.id);
  await expectFirstScreen(host);
  await eventually(() => reasonOf(session), 'cancelled');
  await host.close();
});
