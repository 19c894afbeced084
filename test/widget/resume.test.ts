// The browser discards or reloads the host page while a user links, for example on a phone while they are in their bank's app. The
// next `open` in this tab resumes the link session, but only for the same user, and not after they have closed the widget.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { en } from '../../widget/page/texts/en.ts';
import {
  type HostPage,
  type HostPageOptions,
  nextLinkSession,
  openHostPage,
  requestLinkSession,
  startWidgetFixture,
  type WidgetFixture,
} from './hostPage.ts';
import { answer, press, proceed, shareAll, signIn } from './widgetSteps.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

type Session = Awaited<ReturnType<typeof nextLinkSession>>;

/** A page whose user has signed in, and now sees a challenge of the bank. */
const atChallenge = async (
  options: HostPageOptions = {},
  username = 'otp',
  title: string = en.challenge.code,
): Promise<{ host: HostPage; session: Session }> => {
  const host = await openHostPage(fixture, { institutionId: 'sandbox-bank', ...options });
  return { host, session: await startAgain(host, username, title) };
};

/** Starts on the first screen of the page. */
const startAgain = async (host: HostPage, username = 'otp', title: string = en.challenge.code) => {
  const created = nextLinkSession(host);
  await host.open();
  await expectFirstScreen(host);
  await proceed(host.widget);
  await signIn(host.widget, username);
  await host.widget.getByRole('heading', { name: title }).waitFor();
  return created;
};

const eventually = <Value>(read: () => Promise<Value>, expected: Value): Promise<void> =>
  vi.waitFor(async () => expect(await read()).toBe(expected), 30_000);

const expectFirstScreen = (host: HostPage): Promise<void> =>
  host.widget.getByRole('heading', { name: 'Let Shop read your bank data' }).waitFor();

const reasonOf = async (session: Session): Promise<string | undefined> =>
  (await (await requestLinkSession(fixture, session)).json()).view?.reason;

const keptIn = async (host: HostPage): Promise<string> =>
  (await host.frame()).evaluate(() => JSON.stringify({ ...sessionStorage }));

/** Imitates a browser that discards the page without notice. */
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

const expectClosed = async (host: HostPage, session: Session): Promise<void> => {
  await host.expectEvents('onInit', 'onExit');
  await eventually(() => reasonOf(session), 'cancelled');
  expect(await keptIn(host)).toBe('{}');
};

describe.concurrent('a page that the browser has loaded again', () => {
  test('continues with the sign-in at the bank’s own page', async () => {
    const options = { externalUserId: 'user-1207' };
    const { host, session } = await atChallenge(options, 'redirect', en.redirect.title('Sandbox Bank'));
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

  test('continues with a code, for a user without an id, who starts over when they open the page again', async () => {
    const { host, session } = await atChallenge();
    await host.reload();
    await host.open();
    await answer(host.widget, 'Code sent', '123456');
    await host.widget.getByRole('checkbox').first().waitFor();
    await host.page.goto(`${fixture.site.origin}/anew`);
    await host.page.evaluate((applicationId) => {
      window.widget = window.ServiceConnect!.init({ applicationId });
      window.widget.open();
    }, fixture.service.application.id);
    await expectFirstScreen(host);
    await eventually(() => reasonOf(session), 'cancelled');
  });

  test('continues with an approval in the bank’s app, and delivers the result of an import that has finished meanwhile', async () => {
    const options = { externalUserId: 'user-push' };
    const { host, session } = await atChallenge(options, 'push', en.challenge.approval);
    await host.reload();
    await host.open();
    await host.widget.getByRole('checkbox').first().waitFor();
    let isCutOff = true;
    await host.page.route(/sessions\/lks_\w+$/, (route) => (isCutOff ? route.abort() : route.continue()));
    await shareAll(host.widget);
    const isFinished = async () =>
      (await (await requestLinkSession(fixture, session)).json()).view.state === 'finished';
    await eventually(isFinished, true);
    // The discarded page gets no event.
    await host.reload();
    isCutOff = false;
    await host.open();
    await host.expectEvents('onInit', 'onSuccess');
    expect((await host.result()).linkSessionId).toBe(session.id);
  });

  test('continues from every screen if the browser discards it, and reports its events to the host', async () => {
    const options = { institutionId: 'sandbox-bank', externalUserId: 'user-early', before: withoutPagehide };
    const host = await openHostPage(fixture, options);
    const created = nextLinkSession(host);
    await host.open();
    await proceed(host.widget);
    await host.widget.getByLabel('Username').waitFor();
    await host.reload();
    await host.open();
    await host.widget.getByLabel('Username').waitFor();
    const opened = ['opened', { linkSessionId: (await created).id }];
    expect(await host.page.evaluate(() => window.widgetEvents)).toEqual([opened]);
  });

  test('does not continue for another user, without the id of the user, or for another application', async () => {
    const { host, session } = await atChallenge({ externalUserId: 'user-one' });
    const { id: applicationId } = await fixture.service.addApplication({ origins: [fixture.site.origin] });
    const others = [
      { externalUserId: 'user-two' },
      { externalUserId: undefined },
      { externalUserId: undefined, applicationId },
    ];
    let last = session;
    for (const options of others) {
      await host.reload(options);
      const next = await startAgain(host);
      await eventually(() => reasonOf(last), 'cancelled');
      expect(await keptIn(host)).not.toContain(last.secret);
      last = next;
    }
  });

  test('does not continue after the user or the host has closed the widget, or if the session has ended meanwhile', async () => {
    const { host, session } = await atChallenge({ externalUserId: 'user-closes' });
    await press(host.widget, 'Close');
    await press(host.widget, 'Leave');
    await expectClosed(host, session);
    await host.reload();
    const second = await startAgain(host);
    await host.page.evaluate(() => window.widget.close());
    await expectClosed(host, second);
    await host.reload();
    const third = await startAgain(host);
    await host.reload();
    await requestLinkSession(fixture, third, 'DELETE');
    await startAgain(host);
  });

  test('ends the session if it is closed, and keeps it if it is reloaded again, before the session is shown', async () => {
    const { host, session } = await atChallenge({ externalUserId: 'user-impatient' });
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
  });

  test('starts over, and cancels the session, if the browser blocks storage', async () => {
    const { host, session } = await atChallenge({
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
  });
});
