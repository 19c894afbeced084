// @bank-connection/react in a browser, on the real service, with each React that it is for. React's strict mode is
// on throughout.
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { linkInWidget, widgetOf } from '../support/linkInWidget.ts';
import { bundle, load, versions } from './bundle.ts';
import {
  otherOriginUrl,
  optionsOf,
  type AppPage,
  type ReactFixture,
  startReactFixture,
  openAppPage,
} from './fixture.ts';

let stage: ReactFixture;
beforeAll(async () => {
  stage = await startReactFixture();
});
afterAll(() => stage.close());

const open = (shop: AppPage) => shop.page.getByRole('button', { name: 'Open' }).first().click();
const frames = (shop: AppPage) => shop.page.locator('iframe').count();
const state = (shop: AppPage) => shop.page.locator('button').first().getAttribute('data-state');

for (const version of versions) {
  describe(`React ${version}`, () => {
    test('connects a bank, calls the callbacks of the last rendering, and leaves nothing behind', async () => {
      const shop = await openAppPage(stage, version);
      expect(await shop.page.evaluate(() => window.app.version)).toMatch(new RegExp(`^${version}\\.`));
      await shop.show({ keepsConnection: true });
      await expect.poll(() => state(shop)).toBe('ready');
      await shop.expectCalls('first onInit');
      const openBefore = await shop.page.evaluateHandle(() => window.app.handle!.open);
      await open(shop);
      await shop.show({ keepsConnection: true, label: 'second' });
      expect(await shop.page.evaluate((before) => window.app.handle!.open === before, openBefore)).toBe(true);
      await linkInWidget(shop.page, { username: 'usd' });
      // The screen of success stayed until "Done", though the options have the new connection since.
      await shop.expectCalls('first onInit', 'second onSuccess', 'second onInit');
      await open(shop);
      await widgetOf(shop.page).getByLabel('Password').waitFor();
      // The page that made the connection goes a moment later: it has the result to acknowledge.
      await expect.poll(() => frames(shop)).toBe(1);
      await shop.page.evaluate(() => window.app.unmount());
      await shop.expectCalls('first onInit', 'second onSuccess', 'second onInit', 'second onExit');
      expect(await shop.page.locator('iframe, dialog').count()).toBe(0);
      expect(shop.scriptRequestCount()).toBe(1);
      expect(shop.consoleErrors).toEqual([]);
      await shop.close();
    });

    test('opened before the script is there, opens when it is; other settings close it', async () => {
      const shop = await openAppPage(stage, version);
      let release: () => void = () => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      await shop.page.route('**/connect.js', async (route) => {
        await released;
        await route.continue();
      });
      await shop.show({ language: 'en' });
      await open(shop);
      release();
      await widgetOf(shop.page).getByRole('button', { name: 'Continue' }).waitFor();
      await shop.show({ language: 'de' });
      await shop.expectCalls('first onInit', 'first onExit', 'first onInit');
      expect(await frames(shop)).toBe(1);
      await open(shop);
      await widgetOf(shop.page).getByRole('button', { name: 'Weiter' }).waitFor();
      await shop.close();
    });

    test('a script that does not load is an error, and the next opening tries again', async () => {
      const shop = await openAppPage(stage, version);
      const address = `${stage.service.url}/connect.js`;
      await shop.page.route('**/connect.js', (route) => route.abort());
      await shop.show();
      await expect.poll(() => state(shop)).toBe('failed');
      const sentence = `first onError ServiceConnect: ${address} could not be loaded.`;
      await shop.expectCalls(sentence);
      await open(shop);
      await shop.expectCalls(sentence, 'first onExit', sentence);
      await shop.page.unroute('**/connect.js');
      await open(shop);
      await widgetOf(shop.page).getByRole('button', { name: 'Continue' }).waitFor();
      expect(await state(shop)).toBe('ready');
      expect(await shop.page.locator(`script[src="${address}"]`).count()).toBe(1);
      await shop.close();
    });

    test('a wrong option and a wrong address are errors that name them', async () => {
      const shop = await openAppPage(stage, version);
      await shop.show({ applicationId: 'shop' });
      const wrong = 'ServiceConnect.init: "applicationId" must be the application id, app_…; got "shop".';
      await shop.expectCalls(`first onError ${wrong}`);
      await shop.show({ baseUrl: 'javascript:alert(1)' });
      await expect.poll(async () => (await shop.calls()).at(-1)).toContain('"baseUrl" must be the address');
      await shop.close();
    });

    test('a page that does not come up is an error too, and the next opening tries again', async () => {
      const shop = await openAppPage(stage, version);
      await shop.page.clock.install();
      await shop.page.route('**/connect?*', (route) => route.abort());
      const asked = shop.page.waitForEvent('requestfailed', (request) => request.url().includes('/connect?'));
      await shop.show();
      await open(shop);
      await asked;
      await shop.page.clock.runFor(45_000);
      await expect.poll(() => state(shop)).toBe('failed');
      const [error] = await shop.calls();
      expect(error).toMatch(
        /^first onError .* Does the application allow the origin http:\/\/localhost:\d+\?$/,
      );
      await shop.page.getByRole('button', { name: 'Close' }).click();
      await shop.expectCalls(error!, 'first onExit');
      await shop.page.unroute('**/connect?*');
      await open(shop);
      await widgetOf(shop.page).getByRole('button', { name: 'Continue' }).waitFor();
      expect(await state(shop)).toBe('ready');
      await shop.close();
    });

    test('a script that the page placed itself is used, by every component', async () => {
      const shop = await openAppPage(stage, version, 'own');
      await shop.show({ copies: 3 });
      await shop.expectCalls('first onInit', 'first onInit', 'first onInit');
      expect(await frames(shop)).toBe(3);
      expect(shop.scriptRequestCount()).toBe(1);
      await shop.close();
    });

    test('two services on one page are told apart', async () => {
      const shop = await openAppPage(stage, version);
      const other = otherOriginUrl(stage.service);
      await shop.show();
      await shop.expectCalls('first onInit');
      await shop.show({ baseUrl: `${other}/` });
      await shop.expectCalls('first onInit', 'first onInit');
      expect(await shop.page.locator('iframe').getAttribute('src')).toMatch(
        new RegExp(`^${other}/connect\\?`),
      );
      expect(shop.scriptRequestCount()).toBe(2);
      await shop.close();
    });

    test('the button is a button: its own words, attributes and click', async () => {
      const shop = await openAppPage(stage, version);
      await shop.show({ button: true, vetoed: true });
      const button = shop.page.getByRole('button', { name: 'Link a bank' });
      expect(await button.evaluate((element) => element.outerHTML)).toBe(
        '<button type="button" class="mine">Link a bank</button>',
      );
      await shop.expectCalls('first onInit');
      await button.click();
      expect(await shop.page.getByRole('dialog').count()).toBe(0);
      await shop.show({ button: true });
      await button.click();
      await widgetOf(shop.page).getByRole('button', { name: 'Close' }).click();
      await shop.expectCalls('first onInit', 'first onClick', 'first onClick', 'first onExit');
      expect(await button.evaluate((element) => element === document.activeElement)).toBe(true);
      await shop.close();
    });

    test('a server renders it without a page, and the browser goes on from there', async () => {
      const code = await bundle(join(import.meta.dirname, 'render.ts'), { version, server: true });
      const { render } = await load<typeof import('./render.ts')>(code);
      const shown = { ...optionsOf(stage, {}), button: true };
      expect(render({ ...shown, button: false })).toBe(
        '<button type="button" data-state="waiting">Open</button>',
      );
      stage.rendered.set(version, render(shown));
      expect(render(shown)).toBe('<button type="button" class="mine">Link a bank</button>');
      const shop = await openAppPage(stage, version, 'rendered');
      await shop.page.evaluate((all) => window.app.hydrate(all), shown);
      await shop.expectCalls('first onInit');
      expect(shop.consoleErrors).toEqual([]);
      await shop.close();
    });
  });
}
