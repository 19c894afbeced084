// /connect.js in a host page: the options of init, the frame, and exactly one call to onSuccess or onExit for each `open`.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import {
  type HostEvent,
  type HostPage,
  openHostPage,
  startWidgetFixture,
  type WidgetFixture,
} from './hostPage.ts';
import { press, proceed, signIn } from './widgetSteps.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

const applicationId = `app_${'0'.repeat(22)}`;

const atBank = { institutionId: 'sandbox-bank' };
const consent = (host: HostPage) => host.widget.locator('[data-action=continue]');

describe.concurrent('init', () => {
  const wrongThemes: [unknown, string][] = [
    [{ mode: 'blue' }, '.mode" must be "light", "dark" or "auto"; got "blue".'],
    [{ accentColor: 'red' }, '.accentColor" must be a color such as "#0b6b6f"; got "red".'],
    [{ accentColor: '#fff;}' }, '.accentColor" must be a color such as "#0b6b6f"; got "#fff;}".'],
    [{ radius: -1 }, '.radius" must be a number from 0 to 24; got -1.'],
    ['dark', '" must be an object; got "dark".'],
  ];
  const wrong: [unknown, string][] = [
    [undefined, 'ServiceConnect.init: expected { applicationId: "app_…" }.'],
    [{}, 'ServiceConnect.init: "applicationId" must be the application id, app_…; got undefined.'],
    [{ applicationId: 7 }, 'ServiceConnect.init: "applicationId" must be the application id, app_…; got 7.'],
    [
      { applicationId: 'app_1' },
      'ServiceConnect.init: "applicationId" must be the application id, app_…; got "app_1".',
    ],
    [
      { applicationId, externalUserId: '' },
      'ServiceConnect.init: "externalUserId" must be your own id for the user, 1 to 255 characters; got "".',
    ],
    [
      { applicationId, connectionId: 'con_1' },
      'ServiceConnect.init: "connectionId" must be a connection id, con_…; got "con_1".',
    ],
    [
      { applicationId, onSuccess: 'done' },
      'ServiceConnect.init: "onSuccess" must be a function; got "done".',
    ],
    ...wrongThemes.map(([theme, message]): [unknown, string] => [
      { applicationId, theme },
      `ServiceConnect.init: "theme${message}`,
    ]),
  ];
  test('throws a TypeError with the option, the expected form and the value, and only warns of an option that does not exist', async () => {
    const page = await (await launchBrowser()).newPage();
    const warnings: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'warning') warnings.push(message.text());
    });
    await page.goto(fixture.site.origin);
    const errors = await page.evaluate(
      (all) =>
        all.map((options) => {
          try {
            window.ServiceConnect!.init(options as never);
            return 'nothing';
          } catch (error) {
            return `${(error as Error).name} ${(error as Error).message}`;
          }
        }),
      wrong.map(([options]) => options),
    );
    expect(errors).toEqual(wrong.map(([, message]) => `TypeError ${message}`));
    expect(await page.locator('iframe').count()).toBe(0);
    expect(warnings).toEqual([]);
    await page.evaluate((applicationId) => {
      const options = { applicationId, colour: 'red' };
      window.ServiceConnect!.init(options).open();
    }, fixture.service.application.id);
    await page.frameLocator('iframe').locator('[data-action=continue]').waitFor();
    expect(warnings).toEqual(['ServiceConnect.init: there is no option "colour".']);
  });

  test('adds one closed frame, calls onInit once, a second open has no effect, and a destroyed widget cannot be opened', async () => {
    const host = await openHostPage(fixture);
    await host.expectEvents('onInit');
    expect(await host.page.locator('iframe').count()).toBe(1);
    expect(await host.page.getByRole('dialog').count()).toBe(0);
    await host.page.evaluate(() => {
      window.widget.open();
      window.widget.open();
    });
    await consent(host).waitFor();
    expect(await host.page.getByRole('dialog', { name: 'Connect your bank' }).count()).toBe(1);
    expect(await host.widget.getByRole('dialog', { name: 'Connect your bank' }).count()).toBe(1);
    expect(await host.page.locator('iframe').count()).toBe(1);
    await press(host.widget, 'Close');
    await host.expectEvents('onInit', 'onExit');
    expect(host.consoleErrors).toEqual([]);
    await host.page.evaluate(() => window.widget.destroy());
    expect(await host.page.locator('iframe, dialog').count()).toBe(0);
    const message = await host.page.evaluate(() => {
      try {
        return window.widget.open();
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(message).toBe('ServiceConnect: this widget was destroyed.');
  });

  test('can be called and opened in the head of a page, or opened in onInit, and creates one link session', async () => {
    const host = await openHostPage(fixture);
    await host.expectEvents('onInit');
    const created: string[] = [];
    host.page.on('request', (request) => {
      if (request.url().endsWith('/connect/api/link-sessions')) created.push(request.method());
    });
    await host.page.evaluate((applicationId) => {
      window.widget.destroy();
      const onInit = () => window.widget.open();
      window.widget = window.ServiceConnect!.init({ applicationId, onInit });
    }, fixture.service.application.id);
    await proceed(host.widget);
    await host.widget.getByRole('combobox').waitFor();
    expect(created).toEqual(['POST']);
    await host.page.goto(`${fixture.site.origin}/early?application=${fixture.service.application.id}`);
    await consent(host).waitFor();
    expect(await host.events()).toEqual([['onInit']]);
    expect(created).toEqual(['POST', 'POST']);
  });

  test('several widgets on one page are independent', async () => {
    const host = await openHostPage(fixture);
    await host.expectEvents('onInit');
    await host.open();
    await consent(host).waitFor();
    // The second widget has the same origin and openId; only its window differs.
    await host.page.evaluate((applicationId) => {
      const second = window.ServiceConnect!.init({ applicationId });
      second.open();
    }, fixture.service.application.id);
    const second = host.page.frameLocator('iframe >> nth=1');
    await second.getByRole('button', { name: 'Close' }).click();
    await host.page.locator('dialog >> nth=1').waitFor({ state: 'hidden' });
    await host.expectEvents('onInit');
    await host.page.frameLocator('iframe >> nth=0').getByRole('button', { name: 'Close' }).click();
    await host.expectEvents('onInit', 'onExit');
  });
});

describe.concurrent('each open ends in exactly one of onSuccess and onExit', () => {
  const closings: ((host: HostPage) => Promise<unknown>)[] = [
    (host) => press(host.widget, 'Close'),
    (host) => consent(host).press('Escape'),
    async ({ page }) => {
      await page.evaluate(() => document.querySelector('iframe')!.blur());
      await page.keyboard.press('Escape');
    },
    // The browser restores the host page from the back/forward cache.
    async (host) => {
      await (await host.frame()).evaluate(() => window.dispatchEvent(new PageTransitionEvent('pagehide')));
      await host.page.evaluate(() =>
        window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
      );
    },
    ({ page }) => page.evaluate(() => window.widget.close()),
    async (host) => (await host.frame()).evaluate(() => location.reload()),
    ({ page }) => page.evaluate(() => window.widget.destroy()),
  ];
  test('closed by its buttons, by Escape, by the browser or by the host, however often in succession', async () => {
    const host = await openHostPage(fixture);
    const expected: HostEvent[0][] = ['onInit'];
    for (const close of closings) {
      await host.open();
      await consent(host).waitFor();
      await close(host);
      expected.push('onExit');
      await host.expectEvents(...expected);
      await host.page.getByRole('dialog').waitFor({ state: 'hidden' });
      await host.page.evaluate(() => window.widget.close());
      await host.expectEvents(...expected);
    }
  });

  test.for(['close', 'destroy'] as const)(
    '%s in onSuccess keeps the connection',
    async (method, { expect }) => {
      const host = await openHostPage(fixture);
      await host.expectEvents('onInit');
      await host.page.evaluate(
        ({ method, options }) => {
          window.widget.destroy();
          const events = window.hostEvents;
          window.widget = window.ServiceConnect!.init({
            ...options,
            onSuccess: (result) => {
              events.push(['onSuccess', result]);
              window.widget[method]();
            },
            onExit: () => events.push(['onExit', null, {}]),
          });
          window.widget.open();
        },
        { method, options: { applicationId: fixture.service.application.id, ...atBank } },
      );
      const acknowledged = host.page.waitForResponse((response) =>
        response.url().endsWith('/acknowledgement'),
      );
      await proceed(host.widget);
      await signIn(host.widget, 'twins');
      await proceed(host.widget);
      expect((await acknowledged).status()).toBe(204);
      await host.expectEvents('onInit', 'onSuccess');
      await expect.poll(() => host.page.locator('dialog[open]').count()).toBe(0);
    },
  );
});

describe.concurrent('the host page', () => {
  test('does not scroll and has no focus while the widget is open, and gets the focus back', async () => {
    const host = await openHostPage(fixture);
    const opener = host.page.getByRole('button', { name: 'Connect' });
    await opener.focus();
    await host.page.keyboard.press('Enter');
    await consent(host).waitFor();
    const overflow = () => host.page.evaluate(() => getComputedStyle(document.documentElement).overflowY);
    expect(await overflow()).toBe('hidden');
    expect(await opener.evaluate((button) => document.activeElement === button)).toBe(false);
    // The Tab key never moves the focus to the host's button.
    for (let tabs = 0; tabs < 6; tabs++) {
      await host.page.keyboard.press('Tab');
      expect(await opener.evaluate((button) => document.activeElement === button)).toBe(false);
    }
    await press(host.widget, 'Close');
    await host.expectEvents('onInit', 'onExit');
    expect(await opener.evaluate((button) => document.activeElement === button)).toBe(true);
    expect(await overflow()).toBe('visible');
  });

  test('gets the errors of its callbacks, which do not stop the widget or the next open', async () => {
    const host = await openHostPage(fixture);
    await host.expectEvents('onInit');
    await host.page.evaluate(
      (options) => {
        window.widget.destroy();
        const events = window.hostEvents;
        const throwing = (name: string) => () => {
          events.push([name] as never);
          throw new Error(`error in ${name}`);
        };
        const button = document.querySelector('button')!;
        button.replaceWith(button.cloneNode(true));
        window.widget = window.ServiceConnect!.init({
          ...options,
          onInit: throwing('onInit'),
          onSuccess: throwing('onSuccess'),
          onExit: throwing('onExit'),
        });
        document.querySelector('button')!.onclick = window.widget.open;
      },
      { applicationId: fixture.service.application.id, ...atBank },
    );
    await host.open();
    await press(host.widget, 'Close');
    await host.open();
    await proceed(host.widget);
    await signIn(host.widget, 'twins');
    await proceed(host.widget);
    await press(host.widget, 'Done');
    await host.expectEvents('onInit', 'onInit', 'onExit', 'onSuccess');
    await host.page.getByRole('dialog').waitFor({ state: 'hidden' });
    await host.open();
    await press(host.widget, 'Close');
    await host.page.evaluate(() => window.widget.destroy());
    await host.expectEvents('onInit', 'onInit', 'onExit', 'onSuccess', 'onExit');
    const errors = ['onInit', 'onExit', 'onSuccess', 'onExit'].map((name) => `error in ${name}`);
    expect(host.consoleErrors).toEqual(errors);
  });
});
