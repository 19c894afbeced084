// /connect.js in a host page: what init takes, one frame, and exactly one of onSuccess and onExit for each opening.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { type HostPage, type WidgetFixture, startWidgetFixture, openHostPage } from './hostPage.ts';
import { selectInstitution, press, signIn } from './widgetSteps.ts';

let stage: WidgetFixture;
beforeAll(async () => {
  stage = await startWidgetFixture();
});
afterAll(() => stage.close());

const consent = (host: HostPage) => host.widget.getByRole('button', { name: 'Continue' });

const linkAccounts = async (host: HostPage): Promise<void> => {
  await host.open();
  await selectInstitution(host.widget);
  await signIn(host.widget, 'twins');
  await press(host.widget, 'Continue');
  await host.widget.getByRole('button', { name: 'Done' }).waitFor();
};

describe.concurrent('init', () => {
  const wrong: [unknown, string][] = [
    [undefined, 'ServiceConnect.init: expected an object of options, such as { applicationId: "app_…" }.'],
    [{}, 'ServiceConnect.init: "applicationId" must be the application id, app_…; got undefined.'],
    [{ applicationId: 7 }, 'ServiceConnect.init: "applicationId" must be the application id, app_…; got 7.'],
    [
      { applicationId: 'app_1', externalUserId: '' },
      'ServiceConnect.init: "externalUserId" must be your own id of the user, 1 to 255 characters; got "".',
    ],
    [
      { applicationId: 'app_1', connectionId: 'acc_1' },
      'ServiceConnect.init: "connectionId" must be a connection id, con_…; got "acc_1".',
    ],
    [
      { applicationId: 'app_1', onSuccess: 'done' },
      'ServiceConnect.init: "onSuccess" must be a function; got "done".',
    ],
  ];
  test('names the option that is wrong, says what was expected and what came', async () => {
    const page = await (await launchBrowser()).newPage();
    await page.goto(stage.site.origin);
    const said = await page.evaluate(
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
    expect(said).toEqual(wrong.map(([, sentence]) => `TypeError ${sentence}`));
    expect(await page.locator('iframe').count()).toBe(0);
    await page.close();
  });

  test('adds one closed frame, calls onInit once, and opening twice opens once', async () => {
    const host = await openHostPage(stage);
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
    await host.close();
  });

  test('in the head of a page, and opened before anything is there, opens when it is', async () => {
    const page = await (await launchBrowser()).newPage();
    await page.goto(`${stage.site.origin}/early?application=${stage.service.application.id}`);
    await page.frameLocator('iframe').getByRole('button', { name: 'Continue' }).waitFor();
    expect(await page.evaluate(() => window.hostEvents)).toEqual([['onInit']]);
    await page.close();
  });

  test('may open it from onInit, and that begins one session', async () => {
    const host = await openHostPage(stage);
    await host.expectEvents('onInit');
    const begun: string[] = [];
    host.page.on('request', (request) => {
      if (request.url().endsWith('/connect/api/link-sessions')) begun.push(request.method());
    });
    await host.page.evaluate((applicationId) => {
      window.widget.destroy();
      const onInit = () => window.widget.open();
      window.widget = window.ServiceConnect!.init({ applicationId, onInit });
    }, stage.service.application.id);
    await press(host.widget, 'Continue');
    await host.widget.getByRole('searchbox').waitFor();
    expect(begun).toEqual(['POST']);
    await host.close();
  });

  test('several times on one page makes widgets that do not disturb each other', async () => {
    const host = await openHostPage(stage);
    await host.expectEvents('onInit');
    await host.open();
    await consent(host).waitFor();
    // A second one over the first: same origin, same number of opening, and only its window tells it apart.
    await host.page.evaluate((applicationId) => {
      const second = window.ServiceConnect!.init({ applicationId });
      second.open();
    }, stage.service.application.id);
    const second = host.page.frameLocator('iframe >> nth=1');
    await second.getByRole('button', { name: 'Close' }).click();
    await host.page.locator('dialog >> nth=1').waitFor({ state: 'hidden' });
    await host.expectEvents('onInit');
    await host.page.frameLocator('iframe >> nth=0').getByRole('button', { name: 'Close' }).click();
    await host.expectEvents('onInit', 'onExit');
    await host.close();
  });
});

describe.concurrent('an opening ends in exactly one of onSuccess and onExit', () => {
  const leaving: Record<string, (host: HostPage) => Promise<unknown>> = {
    'by the button': (host) => press(host.widget, 'Close'),
    'by Escape in the widget': (host) => consent(host).press('Escape'),
    'by Escape in the host page': async (host) => {
      await host.page.evaluate(() => document.querySelector('iframe')!.blur());
      await host.page.keyboard.press('Escape');
    },
    'by leaving the host page and coming back to it as it was': async (host) => {
      await (await host.frame()).evaluate(() => window.dispatchEvent(new PageTransitionEvent('pagehide')));
      await host.page.evaluate(() =>
        window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })),
      );
    },
    'by the host': (host) => host.page.evaluate(() => window.widget.close()),
    'by destroying it': (host) => host.page.evaluate(() => window.widget.destroy()),
    'by losing the page': async (host) => (await host.frame()).evaluate(() => location.reload()),
  };
  test.for(Object.entries(leaving))('closed %s', async ([, leave]) => {
    const host = await openHostPage(stage);
    await host.open();
    await consent(host).waitFor();
    await leave(host);
    await host.expectEvents('onInit', 'onExit');
    await host.page.getByRole('dialog').waitFor({ state: 'hidden' });
    await host.page.evaluate(() => window.widget.close());
    await host.expectEvents('onInit', 'onExit');
    await host.close();
  });

  test.for(['Done', 'Close'])('finished and left with %s', async (name) => {
    const host = await openHostPage(stage);
    await linkAccounts(host);
    await host.expectEvents('onInit', 'onSuccess');
    await press(host.widget, name);
    await host.page.getByRole('dialog').waitFor({ state: 'hidden' });
    await host.page.evaluate(() => window.widget.destroy());
    await host.expectEvents('onInit', 'onSuccess');
    await host.close();
  });

  test.for(['close', 'destroy'] as const)(
    'by the host’s own %s in onSuccess, with a result that stays',
    async (leave, { expect }) => {
      const host = await openHostPage(stage);
      await host.expectEvents('onInit');
      await host.page.evaluate(
        ({ leave, applicationId }) => {
          window.widget.destroy();
          const events = window.hostEvents;
          window.widget = window.ServiceConnect!.init({
            applicationId,
            onSuccess: (result) => {
              events.push(['onSuccess', result]);
              window.widget[leave]();
            },
            onExit: () => events.push(['onExit']),
          });
          window.widget.open();
        },
        { leave, applicationId: stage.service.application.id },
      );
      const heard = host.page.waitForResponse((response) => response.url().endsWith('/acknowledgement'));
      await selectInstitution(host.widget);
      await signIn(host.widget, 'twins');
      await press(host.widget, 'Continue');
      expect((await heard).status()).toBe(204);
      await host.expectEvents('onInit', 'onSuccess');
      await expect.poll(() => host.page.locator('dialog[open]').count()).toBe(0);
      await host.close();
    },
  );

  test('each time that it is opened', async () => {
    const host = await openHostPage(stage);
    for (let time = 0; time < 3; time++) {
      await host.open();
      await consent(host).waitFor();
      await press(host.widget, 'Close');
    }
    await linkAccounts(host);
    await press(host.widget, 'Done');
    await host.open();
    await press(host.widget, 'Close');
    await host.expectEvents('onInit', 'onExit', 'onExit', 'onExit', 'onSuccess', 'onExit');
    await host.close();
  });
});

describe.concurrent('the host page', () => {
  test('stands still and out of reach behind the widget, and gets the focus back', async () => {
    const host = await openHostPage(stage);
    const opener = host.page.getByRole('button', { name: 'Connect' });
    await opener.focus();
    await host.page.keyboard.press('Enter');
    await consent(host).waitFor();
    const behind = () => host.page.evaluate(() => getComputedStyle(document.documentElement).overflowY);
    expect(await behind()).toBe('hidden');
    expect(await opener.evaluate((button) => document.activeElement === button)).toBe(false);
    // Round the widget and round the browser, the focus never comes to the host's own button.
    for (let step = 0; step < 6; step++) {
      await host.page.keyboard.press('Tab');
      expect(await opener.evaluate((button) => document.activeElement === button)).toBe(false);
    }
    await press(host.widget, 'Close');
    await host.expectEvents('onInit', 'onExit');
    expect(await opener.evaluate((button) => document.activeElement === button)).toBe(true);
    expect(await behind()).toBe('visible');
    await host.close();
  });

  test('keeps its mistakes: callbacks that throw are reported and stop nothing', async () => {
    const host = await openHostPage(stage);
    await host.expectEvents('onInit');
    await host.page.evaluate((applicationId) => {
      window.widget.destroy();
      const events = window.hostEvents;
      const mistake = (name: string) => () => {
        events.push([name] as never);
        throw new Error(`mistake in ${name}`);
      };
      window.widget = window.ServiceConnect!.init({
        applicationId,
        onInit: mistake('onInit'),
        onSuccess: mistake('onSuccess'),
        onExit: mistake('onExit'),
      });
      document.querySelector('button')!.onclick = window.widget.open;
    }, stage.service.application.id);
    await host.page.evaluate(() => {
      const button = document.querySelector('button')!;
      button.replaceWith(button.cloneNode(true));
      document.querySelector('button')!.onclick = window.widget.open;
    });
    await host.open();
    await press(host.widget, 'Close');
    await linkAccounts(host);
    await host.expectEvents('onInit', 'onInit', 'onExit', 'onSuccess');
    expect(host.consoleErrors).toEqual(['mistake in onInit', 'mistake in onExit', 'mistake in onSuccess']);
    await host.close();
  });

  test('cannot open what it has destroyed', async () => {
    const host = await openHostPage(stage);
    await host.page.evaluate(() => window.widget.destroy());
    expect(await host.page.locator('iframe, dialog').count()).toBe(0);
    const said = await host.page.evaluate(() => {
      try {
        return window.widget.open();
      } catch (error) {
        return (error as Error).message;
      }
    });
    expect(said).toBe('ServiceConnect: this widget was destroyed. Call init for a new one.');
    await host.close();
  });
});
