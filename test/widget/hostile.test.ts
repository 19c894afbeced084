// Attacks by a hostile page, frame or user. unavailable.test.ts shows that a page from another origin cannot frame the
// widget.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { collectRequests, launchBrowser } from '../support/browser.ts';
import {
  type HostPage,
  nextLinkSession,
  openHostPage,
  requestLinkSession,
  startWidgetFixture,
  type WidgetFixture,
} from './hostPage.ts';
import { answer, openSignIn, press, proceed, shareAll, signIn } from './widgetSteps.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

const atBank = { institutionId: 'sandbox-bank' };
const consent = (host: HostPage) => host.widget.locator('[data-action=continue]');

/** Runs in the host page: posts messages from its own window and from another frame of its origin, and then to the page. */
const postForged = async ({ toHost, toPage }: { toHost: unknown[]; toPage: unknown[] }): Promise<void> => {
  for (const message of toHost) window.postMessage(message, '*');
  const sibling = document.createElement('iframe');
  sibling.src = '/forger';
  const loaded = new Promise((resolve) => sibling.addEventListener('load', resolve));
  document.body.append(sibling);
  await loaded;
  for (const message of toPage) document.querySelector('iframe')!.contentWindow!.postMessage(message, '*');
};

test('forged messages to the host and to the page are ignored', async () => {
  const host = await openHostPage(fixture);
  await host.open();
  await consent(host).waitFor();
  const ours = (message: object) => ({ serviceConnect: 1, ...message });
  await host.page.evaluate(postForged, {
    // From a window other than the page's.
    toHost: [
      ours({ kind: 'success', openId: 1, result: { connectionId: 'con_forged' } }),
      ours({ kind: 'exit', openId: 1 }),
      ours({ kind: 'ready', title: 'Forged' }),
    ],
    // With a different version, form or openId.
    toPage: [
      { serviceConnect: 2, kind: 'close', openId: 1 },
      ours({ kind: 'close', openId: 7 }),
      ours({ kind: 'resultReceived', openId: 7 }),
      ours({ kind: 'constructor', openId: 1 }),
      ...[ours({}), 'close', null],
    ],
  });
  // From a window other than the page's parent: its own.
  await (await host.frame()).evaluate(async () => {
    const messages = [{ kind: 'close', openId: 1 }, { kind: 'handshake' }, { kind: 'open', openId: 9 }];
    for (const message of messages) window.postMessage({ serviceConnect: 1, ...message }, '*');
    await new Promise((resolve) => setTimeout(resolve, 300));
  });
  await consent(host).click();
  await host.widget.getByRole('combobox').waitFor();
  await host.expectEvents('onInit');
  expect(await host.page.getByRole('dialog').getAttribute('aria-label')).toBe('Connect your bank');
  expect(host.consoleErrors).toEqual([]);
  // From a page of another origin in the widget's frame.
  await host.page.evaluate(() => {
    document.querySelector('iframe')!.src = '/forger';
  });
  await host.expectEvents('onInit', 'onExit');
});

describe('the link session', () => {
  test('keeps its secret out of URLs, and ends with the acknowledgement, like the data stored in the tab', async () => {
    const host = await openHostPage(fixture, atBank);
    const requests = collectRequests(host.page);
    const created = nextLinkSession(host);
    await host.open();
    const session = await created;
    await proceed(host.widget);
    await signIn(host.widget, 'otp');
    await answer(host.widget, 'Code sent', '123456');
    await shareAll(host.widget);
    const acknowledged = host.page.waitForResponse((response) => response.url().endsWith('/acknowledgement'));
    await host.expectEvents('onInit', 'onSuccess');
    expect((await acknowledged).status()).toBe(204);

    expect(session.secret).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(requests.urls().filter((url) => url.includes(session.secret))).toEqual([]);
    requests.expectOnlyTo(fixture.service.url, fixture.site.origin);
    const frame = await host.frame();
    const stored = await frame.evaluate(() => {
      // Browsers that deny storage to frames of other sites throw when it is accessed.
      const read = (name: 'localStorage' | 'sessionStorage') => {
        try {
          return { ...window[name] };
        } catch (error) {
          if ((error as Error).name === 'SecurityError') return 'denied';
          throw error;
        }
      };
      const storage = [read('localStorage'), read('sessionStorage')];
      return JSON.stringify([storage, document.cookie, history.state, location.href]);
    });
    expect(stored).not.toContain(session.secret);
    expect(stored).not.toContain('sct_');

    const again = await requestLinkSession(fixture, session);
    expect(again.status).toBe(410);
    expect(await again.text()).not.toContain('sct_');
  });

  test('is cancelled when the user leaves the host page before they have signed in', async () => {
    const host = await openHostPage(fixture, atBank);
    const created = nextLinkSession(host);
    await host.open();
    const session = await created;
    await proceed(host.widget);
    await host.widget.getByLabel('Username').fill('good');
    await host.page.goto('about:blank');
    const failedReason = async () => (await (await requestLinkSession(fixture, session)).json()).view?.reason;
    await expect.poll(failedReason).toBe('cancelled');
  });
});

test('credentials are in fields for password managers, are hidden from the host page, and secrets go on submit', async () => {
  const host = await openSignIn(fixture, {
    browser: { permissions: ['clipboard-read', 'clipboard-write'] },
  });
  const username = host.widget.getByLabel('Username');
  const password = host.widget.getByLabel('Password');
  expect(await username.getAttribute('autocomplete')).toBe('username');
  expect(await password.getAttribute('autocomplete')).toBe('current-password');
  expect(await password.getAttribute('type')).toBe('password');
  await press(host.widget, 'Show');
  expect(await password.getAttribute('type')).toBe('text');
  await press(host.widget, 'Hide');
  expect(await password.getAttribute('type')).toBe('password');
  await username.fill('good');
  await username.press('ControlOrMeta+a');
  await username.press('ControlOrMeta+c');
  await password.press('ControlOrMeta+v');
  expect(await password.inputValue()).toBe('good');
  const readable = await host.page.evaluate(() => {
    const { contentDocument, contentWindow } = document.querySelector('iframe')!;
    try {
      return [contentDocument, contentWindow!.document.body.textContent];
    } catch (error) {
      return [contentDocument, (error as Error).name];
    }
  });
  expect(readable).toEqual([null, 'SecurityError']);
  await signIn(host.widget, 'good', 'wrong-password');
  await host.widget.getByRole('alert').waitFor();
  expect(await username.inputValue()).toBe('good');
  expect(await password.inputValue()).toBe('');
  expect(await (await host.frame()).content()).not.toContain('wrong-password');
});

test('the page may be nested in frames, if the application allows the origins of all of them', async () => {
  const { service, site } = fixture;
  const outer = createServer((request, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(`<iframe src="${site.origin}/early${request.url!.slice(1)}"></iframe>`);
  });
  await new Promise<void>((resolve) => outer.listen(0, '127.0.0.1', resolve));
  const outerOrigin = `http://localhost:${(outer.address() as AddressInfo).port}`;
  for (const origins of [[site.origin, outerOrigin], [site.origin]]) {
    const { id } = await service.addApplication({ origins });
    const page = await (await launchBrowser()).newPage({ locale: 'en-US' });
    await page.goto(`${outerOrigin}/?application=${id}`);
    const host = page.frameLocator('iframe');
    const continues = host.frameLocator('iframe').locator('[data-action=continue]');
    await (origins.length === 2 ? continues : host.getByRole('button', { name: 'Try again' })).waitFor();
    await page.close();
  }
  outer.closeAllConnections();
  await new Promise((resolve) => outer.close(resolve));
});
