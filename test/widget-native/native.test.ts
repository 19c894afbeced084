// @bank-connection/react-native against the real page and service: a browser stands in for the web view and speaks
// its bridge. React Native itself is replaced by the names of its parts.
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { unwrap } from '../../client/index.ts';
import { changeApplication, rotateIdentitySecret } from '../../src/applications/changeApplication.ts';
import { deriveIdentitySecret } from '../../src/applications/identityVerification.ts';
import { findApplication } from '../../src/applications/store.ts';
import { collectRequests, expectNoAxeViolations } from '../support/browser.ts';
import { startService, type TestService } from '../support/testService.ts';
import { selectInstitution, press, shareAll, signIn } from '../widget/widgetSteps.ts';
import { bundle, load } from '../widget-react/bundle.ts';
import type { App, AppProps } from './app.ts';
import { type BrowserDevice, type BrowserDeviceOptions, startBrowserDevice } from './browserDevice.ts';

let service: TestService;
let startApp: typeof import('./app.ts').startApp;
let phone: BrowserDevice;
let app: App;

beforeAll(async () => {
  service = await startService();
  await allowNative(service.application.id);
  const standIn = (name: string) => join(import.meta.dirname, 'stubs', name);
  const code = await bundle(join(import.meta.dirname, 'app.ts'), {
    version: '19',
    server: true,
    stubs: {
      'react-native': standIn('reactNative.ts'),
      'react-native-webview': standIn('reactNativeWebView.ts'),
    },
  });
  ({ startApp } = await load<typeof import('./app.ts')>(code));
});
afterAll(() => service.close());
beforeEach(() => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});
afterEach(async () => {
  await app.unmount();
  await phone.close();
  // React complains about its renderer without a screen, and must not about anything else.
  const complaints = vi.mocked(console.error).mock.calls.map(String);
  expect(complaints.filter((text) => !text.startsWith('react-test-renderer is deprecated'))).toEqual([]);
});

const allowNative = async (applicationId: string): Promise<void> => {
  const { db } = service.service;
  const application = (await findApplication(db.read, applicationId))!;
  const change = { nativeAllowed: true };
  await changeApplication(db.write, application, { change, now: new Date() });
};

/** From now on users must be signed; returns how a backend does it. */
const requireSignatures = async (applicationId: string): Promise<(user: string) => string> => {
  const { db, secrets } = service.service;
  const now = new Date();
  const application = (await findApplication(db.read, applicationId))!;
  const renewed = await rotateIdentitySecret(db.write, application, now);
  await changeApplication(db.write, renewed, { change: { identityRequired: true }, now });
  const secret = deriveIdentitySecret(secrets.apiKeys, renewed)!;
  return (user) => createHmac('sha256', secret).update(user).digest('hex');
};

const options = (): AppProps => ({ baseUrl: service.url, applicationId: service.application.id });

const start = async (shown: Partial<AppProps> = {}, how: BrowserDeviceOptions = {}): Promise<void> => {
  phone = await startBrowserDevice(how);
  app = await startApp(phone, { ...options(), ...shown });
};

/** Opens the widget; the screens of its page are used like those in a frame. */
const open = async (): Promise<{ page: Page; widget: FrameLocator }> => {
  await expect.poll(() => phone.views()).toBe(0);
  app.handle().open();
  await expect.poll(() => phone.views()).toBe(1);
  const page = await phone.page();
  return { page, widget: page as unknown as FrameLocator };
};
const expectCalls = (...expected: string[]) =>
  expect.poll(() => app.calls, { timeout: 20_000 }).toEqual(expected);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const pressBack = () => (app.props('Modal').onRequestClose as () => void)();

describe('the widget', () => {
  test('connects a bank, hands over the token, and says nothing of the user in any address', async () => {
    await start({ externalUserId: 'user-77', keepsConnection: true, language: 'en' });
    await expectCalls('first onInit');
    await expect.poll(() => app.handle()).toMatchObject({ ready: true, error: undefined });
    expect(app.screen()).toEqual([]);
    const { page, widget } = await open();
    const requests = collectRequests(page);
    await selectInstitution(widget);
    await expectNoAxeViolations(page);
    await signIn(widget, 'usd');
    await shareAll(widget);
    await button(page, 'Done').waitFor();
    await expectCalls('first onInit', 'first onSuccess', 'first onInit');
    const acknowledged = () => requests.urls().some((url) => url.endsWith('/acknowledgement'));
    await expect.poll(acknowledged).toBe(true);
    // The application keeps the connection in its options by now, and the last screen is still there.
    await button(page, 'Done').click();
    await expect.poll(() => app.screen()).toEqual([]);
    await expect.poll(() => phone.views()).toBe(0);
    expect(app.calls).not.toContain('first onExit');

    requests.expectOnlyTo(service.url);
    expect(requests.urls().filter((url) => /user-77|sct_/.test(url))).toEqual([]);
    const [{ connectionId, scopedToken, user } = {}] = app.results;
    expect(user?.externalUserId).toBe('user-77');
    const { connections } = await unwrap(service.client(scopedToken).GET('/connections', {}));
    expect(connections.map(({ id }) => id)).toEqual([connectionId]);

    const again = await open();
    await again.page.getByLabel('Password').waitFor();
    await press(again.widget, 'Close');
    await expect.poll(() => app.calls.at(-1)).toBe('first onExit');
  });

  test('goes back by the device’s button, screen by screen and then out', async () => {
    await start();
    const { page, widget } = await open();
    await selectInstitution(widget);
    await page.getByLabel('Username').waitFor();
    pressBack();
    await page.getByRole('searchbox').waitFor();
    pressBack();
    await page.getByText('You can stop at any time').waitFor();
    pressBack();
    await expectCalls('first onInit', 'first onExit');
    expect(app.screen()).toEqual([]);
  });

  test('can be left while it is still loading, by the device’s button and by its own', async () => {
    await start();
    app.handle().open();
    await expect.poll(() => app.screen()).toContain('ActivityIndicator');
    pressBack();
    await expectCalls('first onInit', 'first onExit');
    app.handle().open();
    await expect.poll(() => app.screen()).toContain('Pressable');
    expect(app.props('Pressable')).toMatchObject({
      accessibilityRole: 'button',
      accessibilityLabel: 'Close',
    });
    (app.props('Pressable').onPress as () => void)();
    await expectCalls('first onInit', 'first onExit', 'first onExit');
  });

  test('opens once, calls the callbacks of the last rendering, and goes with its component', async () => {
    await start();
    const { page } = await open();
    app.handle().open();
    await button(page, 'Continue').waitFor();
    await app.show({ ...options(), label: 'second' });
    await expect.poll(() => phone.views()).toBe(1);
    await app.unmount();
    await expectCalls('first onInit', 'second onExit');
    await expect.poll(() => phone.views()).toBe(0);
  });

  test('hands on what the backend has signed: no other user can be claimed', async () => {
    const { id: applicationId } = await service.addApplication();
    await allowNative(applicationId);
    const sign = await requireSignatures(applicationId);
    await start({ applicationId, externalUserId: 'user-79', userSignature: sign('user-78') });
    const { page, widget } = await open();
    await page.getByRole('heading', { name: 'We cannot tell who you are' }).waitFor();
    await press(widget, 'Close');
    await expectCalls('first onInit', 'first onExit');
    await app.show({
      ...options(),
      applicationId,
      externalUserId: 'user-79',
      userSignature: sign('user-79'),
    });
    await expectCalls('first onInit', 'first onExit', 'first onInit');
    await button((await open()).page, 'Continue').waitFor();
  });

  test('other settings close it, and are used from then on', async () => {
    await start();
    await button((await open()).page, 'Continue').waitFor();
    await app.show({ ...options(), language: 'de', institutionId: 'sandbox-bank', theme: { mode: 'dark' } });
    await expectCalls('first onInit', 'first onExit', 'first onInit');
    const { page } = await open();
    await button(page, 'Weiter').click();
    // The bank was named, so it need not be searched for.
    await page.getByLabel('Username').waitFor();
    expect(await page.evaluate(() => document.documentElement.style.colorScheme)).toBe('dark');
    pressBack();
    await page.getByRole('searchbox').waitFor();
  });

  test('ends when its page dies under the user', async () => {
    await start();
    const { page } = await open();
    await button(page, 'Continue').waitFor();
    void page.reload().catch(() => undefined);
    await expectCalls('first onInit', 'first onExit');
    await button((await open()).page, 'Continue').waitFor();
    (app.props('WebView').onRenderProcessGone as () => void)();
    await expectCalls('first onInit', 'first onExit', 'first onExit');
  });
});

describe('what can go wrong', () => {
  test('an application that does not allow native use says so, and a browser cannot pretend to be one', async () => {
    const { id: applicationId } = await service.addApplication();
    await start({ applicationId });
    const { page } = await open();
    await page.getByRole('heading', { name: 'This app may not connect banks' }).waitFor();
    await button(page, 'Close').click();
    await expectCalls('first onInit', 'first onExit');
  });

  test('a wrong option and an address without encryption are errors that name them', async () => {
    const wrong: [Partial<AppProps>, string][] = [
      [{ baseUrl: 'http://bank.example' }, '"baseUrl" must be the https address'],
      [{ baseUrl: 'https://user:password@bank.example' }, '"baseUrl" must be the https address'],
      [{ baseUrl: 'https://bank.example/?a=b' }, '"baseUrl" must be the https address'],
      [{ baseUrl: 'javascript://localhost/' }, '"baseUrl" must be the https address'],
      [{ applicationId: 'shop' }, '"applicationId" must be the application id'],
      [{ theme: { accentColor: 'red' } }, '"theme" must be'],
    ];
    for (const [shown, sentence] of wrong) {
      await start(shown);
      await expect.poll(() => app.calls.join()).toContain(sentence);
      app.handle().open();
      expect(app.handle().ready).toBe(false);
      expect(app.screen()).toEqual([]);
      await app.unmount();
    }
  });

  test('a service that is not there is an error, and the next opening tries again', async () => {
    await start({ baseUrl: 'http://localhost:1' });
    app.handle().open();
    const sentence = 'first onError ServiceConnect: the page of http://localhost:1 could not be loaded.';
    await expectCalls('first onInit', 'first onExit', sentence);
    await expect.poll(() => app.handle().error).toBeInstanceOf(Error);
    await app.show(options());
    await button((await open()).page, 'Continue').waitFor();
    expect(app.handle().error).toBeUndefined();
  });

  test('messages of another form, version, opening or page are not believed', async () => {
    await start();
    const { page } = await open();
    await button(page, 'Continue').waitFor();
    const hear = app.props('WebView').onMessage as (event: unknown) => void;
    const result = { connectionId: 'con_forged', accounts: [], institution: { id: 'x', name: 'x' } };
    const forged: [url: string, message: unknown][] = [
      ['https://evil.example/', { serviceConnect: 1, kind: 'success', openId: 1, result }],
      [`${service.url}.evil.example/`, { serviceConnect: 1, kind: 'success', openId: 1, result }],
      [page.url(), { serviceConnect: 2, kind: 'success', openId: 1, result }],
      [page.url(), { serviceConnect: 1, kind: 'success', openId: 7, result }],
      [page.url(), { serviceConnect: 1, kind: 'success', openId: '1', result }],
      [page.url(), { serviceConnect: 1, kind: 'success', openId: 1, result: { connectionId: 7 } }],
      [page.url(), { serviceConnect: 1, kind: 'success', openId: 1 }],
      [page.url(), { serviceConnect: 1, kind: 'exit', openId: 7 }],
      [page.url(), { serviceConnect: 1, kind: 'close', openId: 1 }],
      [page.url(), null],
    ];
    for (const [url, message] of forged) hear({ nativeEvent: { url, data: JSON.stringify(message) } });
    hear({ nativeEvent: { url: page.url(), data: 'not JSON' } });
    expect(app.calls).toEqual(['first onInit']);
    // Nor does the page believe a message that did not come over the bridge.
    await page.evaluate(() => {
      window.postMessage({ serviceConnect: 1, kind: 'close', openId: 1 }, '*');
      window.serviceConnectPage!({ serviceConnect: 2, kind: 'close', openId: 1 });
      window.serviceConnectPage!(null);
    });
    await button(page, 'Continue').click();
    await page.getByRole('searchbox').waitFor();
  });
});

describe('another place', () => {
  const startElsewhere = async () => {
    const server = createServer((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<script>heard = []; serviceConnectPage = (message) => heard.push(message)</script>'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return { url, close: () => server.close().closeAllConnections() };
  };

  test('is not loaded: the web view stays on the page of the service', async () => {
    await start();
    const { page } = await open();
    await button(page, 'Continue').waitFor();
    const elsewhere = await startElsewhere();
    for (const url of [elsewhere.url, 'http://127.0.0.1.evil.example/', 'https://evil.example/']) {
      await page.evaluate((to) => location.assign(to), url);
      expect(app.props('WebView')).toMatchObject({ originWhitelist: ['*'] });
      const allowed = app.props('WebView').onShouldStartLoadWithRequest as (place: unknown) => boolean;
      expect(allowed({ url })).toBe(false);
    }
    for (const url of ['about:blank', 'tel:112', 'intent://x', 'file:///etc/hosts', undefined]) {
      const allowed = app.props('WebView').onShouldStartLoadWithRequest as (place: unknown) => boolean;
      expect(allowed({ url })).toBe(false);
    }
    await button(page, 'Continue').click();
    await page.getByRole('searchbox').waitFor();
    elsewhere.close();
  });

  test('that a web view loads without having asked ends the opening, and is told nothing', async () => {
    await start({ externalUserId: 'user-78' }, { asksBeforeLoad: false });
    const { page } = await open();
    await button(page, 'Continue').waitFor();
    const elsewhere = await startElsewhere();
    const before = phone.scripts.length;
    await page.evaluate((to) => location.assign(to), elsewhere.url);
    await expectCalls(
      'first onInit',
      'first onExit',
      `first onError ServiceConnect: the page of ${service.url} could not be loaded.`,
    );
    await expect.poll(() => phone.views()).toBe(0);
    // What is still said looks first where it is.
    const other = await phone.context.newPage();
    await other.goto(elsewhere.url);
    for (const script of phone.scripts) await other.evaluate(script);
    expect(await other.evaluate(() => (window as unknown as { heard: unknown[] }).heard)).toEqual([]);
    expect(phone.scripts.slice(before).join()).not.toContain('user-78');
    elsewhere.close();
  });
});
