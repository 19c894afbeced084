// @bank-connection/react in a browser with the real service, for each supported React, in strict mode. Tests that do not depend
// on the version of React use the newest, or all with TEST_ALL. widget-js/loadServiceConnect.test.ts tests the sharing of
// scripts between components and services.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { de } from '../../widget/page/texts/de.ts';
import { linkInWidget, widgetOf } from '../support/linkInWidget.ts';
import { bundle, load, versions } from './bundle.ts';
import { type AppPage, openAppPage, optionsOf, type ReactFixture, startReactFixture } from './fixture.ts';

let fixture: ReactFixture;
beforeAll(async () => {
  fixture = await startReactFixture();
});
afterAll(() => fixture.close());

const open = (app: AppPage) => app.page.getByRole('button', { name: 'Open' }).first().click();
const frames = (app: AppPage) => app.page.locator('iframe').count();
const state = (app: AppPage) => app.page.locator('button').first().getAttribute('data-state');

for (const version of versions) {
  const testOnce = test.runIf(version === versions.at(-1) || process.env.TEST_ALL);
  describe(`React ${version}`, () => {
    test('links a bank, uses the latest callbacks, and removes its elements on unmount', async () => {
      const app = await openAppPage(fixture, version);
      expect(await app.page.evaluate(() => window.app.version)).toMatch(new RegExp(`^${version}\\.`));
      await app.render({ keepsConnection: true });
      await expect.poll(() => state(app)).toBe('ready');
      await app.expectCalls('first onInit');
      const openBefore = await app.page.evaluateHandle(() => window.app.handle!.open);
      await open(app);
      await app.render({ keepsConnection: true, label: 'second' });
      expect(await app.page.evaluate((before) => window.app.handle!.open === before, openBefore)).toBe(true);
      await linkInWidget(app.page, { username: 'twins' });
      // The success screen stays until "Done", although the options have the new connection.
      await app.expectCalls('first onInit', 'second onSuccess', 'second onInit');
      await open(app);
      await widgetOf(app.page).getByLabel('Password').waitFor();
      // The first frame is removed with a delay, because it acknowledges the result.
      await expect.poll(() => frames(app)).toBe(1);
      await app.page.evaluate(() => window.app.unmount());
      await app.expectCalls('first onInit', 'second onSuccess', 'second onInit', 'second onExit');
      expect(await app.page.locator('iframe, dialog').count()).toBe(0);
      expect(app.scriptRequestCount()).toBe(1);
      expect(app.consoleErrors).toEqual([]);
    });

    testOnce('open before the script has loaded opens it later; changed settings close it', async () => {
      const app = await openAppPage(fixture, version);
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await app.page.route('**/connect.js', async (route) => {
        await released;
        await route.continue();
      });
      await app.render({ language: 'en' });
      await open(app);
      release();
      await widgetOf(app.page).locator('[data-action=continue]').waitFor();
      await app.render({ language: 'de' });
      await app.expectCalls('first onInit', 'first onExit', 'first onInit');
      expect(await frames(app)).toBe(1);
      await open(app);
      await widgetOf(app.page).getByRole('button', { name: de.consent.agree }).waitFor();
    });

    testOnce('a script that does not load is an error, and the next open retries', async () => {
      const app = await openAppPage(fixture, version);
      const address = `${fixture.service.url}/connect.js`;
      await app.page.route('**/connect.js', (route) => route.abort());
      await app.render();
      await expect.poll(() => state(app)).toBe('failed');
      const message = `first onError ServiceConnect: ${address} could not be loaded.`;
      await app.expectCalls(message);
      await open(app);
      await app.expectCalls(message, 'first onExit', message);
      await app.page.unroute('**/connect.js');
      await open(app);
      await widgetOf(app.page).locator('[data-action=continue]').waitFor();
      expect(await state(app)).toBe('ready');
      expect(await app.page.locator(`script[src="${address}"]`).count()).toBe(1);
    });

    testOnce('invalid options and addresses are errors', async () => {
      const app = await openAppPage(fixture, version);
      await app.render({ applicationId: 'shop' });
      const wrong = 'ServiceConnect.init: "applicationId" must be the application id, app_…; got "shop".';
      await app.expectCalls(`first onError ${wrong}`);
      await app.render({ baseUrl: 'javascript:alert(1)' });
      await expect.poll(async () => (await app.calls()).at(-1)).toContain('"baseUrl" must be the address');
    });

    testOnce('a page that does not load is an error, and the next open retries', async () => {
      const app = await openAppPage(fixture, version);
      await app.page.clock.install();
      await app.page.route('**/connect?**', (route) => route.abort());
      await app.render();
      await open(app);
      // In small steps, so that the page's own time-out does not expire before its frame has loaded.
      const waitOnTheirClock = async () => {
        await app.page.clock.runFor(100);
        return state(app);
      };
      await expect.poll(waitOnTheirClock, { interval: 20 }).toBe('failed');
      const [error] = await app.calls();
      expect(error).toMatch(
        /^first onError ServiceConnect: the widget could not be loaded\. http:\/\/127\.0\.0\.1:\d+\/ did not respond\.$/,
      );
      await app.page.getByRole('button', { name: 'Close' }).click();
      await app.expectCalls(error!, 'first onExit');
      await app.page.unroute('**/connect?**');
      await open(app);
      await widgetOf(app.page).locator('[data-action=continue]').waitFor();
      expect(await state(app)).toBe('ready');
    });

    testOnce('the button passes on its children, attributes and onClick', async () => {
      const app = await openAppPage(fixture, version);
      await app.render({ button: true, preventsDefault: true });
      const button = app.page.getByRole('button', { name: 'Link a bank' });
      expect(await button.evaluate((element) => element.outerHTML)).toBe(
        '<button type="button" class="mine">Link a bank</button>',
      );
      await app.expectCalls('first onInit');
      await button.click();
      expect(await app.page.getByRole('dialog').count()).toBe(0);
      await app.render({ button: true });
      await button.click();
      await widgetOf(app.page).getByRole('button', { name: 'Close' }).click();
      await app.expectCalls('first onInit', 'first onClick', 'first onClick', 'first onExit');
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
    });

    test('server rendering and hydration', async () => {
      const code = await bundle(join(import.meta.dirname, 'render.ts'), { version, server: true });
      const { render } = await load<typeof import('./render.ts')>(code);
      const props = { ...optionsOf(fixture, {}), button: true };
      expect(render({ ...props, button: false })).toBe(
        '<button type="button" data-state="waiting">Open</button>',
      );
      fixture.rendered.set(version, render(props));
      expect(render(props)).toBe('<button type="button" class="mine">Link a bank</button>');
      const app = await openAppPage(fixture, version, 'rendered');
      await app.page.evaluate((all) => window.app.hydrate(all), props);
      await app.expectCalls('first onInit');
      expect(app.consoleErrors).toEqual([]);
    });
  });
}
