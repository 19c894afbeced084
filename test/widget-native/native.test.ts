// @bank-connection/react-native with the real page and service: a browser page is the web view, and React Native is
// replaced by stubs.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { signUser, unwrap } from '../../client/index.ts';
import { changeApplication, createIdentitySecret } from '../../src/domain/applications/applications.ts';
import { findApplication } from '../../src/domain/applications/store.ts';
import { byOperator } from '../../src/domain/audit/by.ts';
import { de } from '../../widget/page/texts/de.ts';
import { allowNative } from '../support/allowNative.ts';
import { returnFromBank } from '../support/bankPage.ts';
import { collectRequests, expectNoAxeViolations, launchBrowser } from '../support/browser.ts';
import { openAtBank } from '../support/openAtBank.ts';
import { startService, type TestService } from '../support/testService.ts';
import { proceed, selectInstitution, shareAll, signIn } from '../widget/widgetSteps.ts';
import { bundle, load } from '../widget-react/bundle.ts';
import type { App, AppProps } from './app.ts';
import { type BrowserDevice, type BrowserDeviceOptions, startBrowserDevice } from './browserDevice.ts';

const returnAddress = 'shop://bank-return';
let service: TestService;
let startApp: typeof import('./app.ts').startApp;
let device: BrowserDevice;
let app: App;

beforeAll(async () => {
  service = await startService();
  await allowNative(service, service.application.id, [returnAddress]);
  const stub = (name: string) => join(import.meta.dirname, 'stubs', name);
  const code = await bundle(join(import.meta.dirname, 'app.ts'), {
    version: '19',
    server: true,
    stubs: {
      'react-native': stub('reactNative.ts'),
      'react-native-webview': stub('reactNativeWebView.ts'),
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
  await device.close();
  // React warns that its test renderer is deprecated; every other error fails the test.
  const errors = vi.mocked(console.error).mock.calls.map(String);
  expect(errors.filter((text) => !text.startsWith('react-test-renderer is deprecated'))).toEqual([]);
});

/** Requires signed user ids and returns the backend's signing function. */
const requireSignatures = async (applicationId: string): Promise<(user: string) => string> => {
  const { db, secrets } = service.service;
  const now = new Date();
  const application = (await findApplication(db.read, applicationId))!;
  const by = byOperator(application.organizationId, now);
  const created = await createIdentitySecret(db, secrets.identity, application, by);
  await changeApplication(db.write, created.application, { change: { identityRequired: true }, now });
  return (externalUserId) => signUser(created.secret, { externalUserId });
};

const options = (): AppProps => ({ baseUrl: service.url, applicationId: service.application.id });
const atBank = { institutionId: 'sandbox-bank' };

const start = async (
  props: Partial<AppProps> = {},
  deviceOptions: BrowserDeviceOptions = {},
): Promise<void> => {
  device = await startBrowserDevice(deviceOptions);
  app = await startApp(device, { ...options(), ...props });
};

/** Opens the widget and returns its page, which can be used like a frame. */
const open = async (): Promise<{ page: Page; widget: FrameLocator }> => {
  await expect.poll(() => device.viewCount()).toBe(0);
  app.handle().open();
  await expect.poll(() => device.viewCount()).toBe(1);
  const page = await device.page();
  return { page, widget: page as unknown as FrameLocator };
};
const expectCalls = (...expected: string[]) =>
  expect.poll(() => app.calls, { timeout: 20_000 }).toEqual(expected);
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
/** Presses a button that closes the page, which may be gone before the press is reported. */
const pressToClose = async (page: Page, name: string): Promise<void> => {
  const closed = page.waitForEvent('close');
  await button(page, name)
    .click()
    .catch((error) => {
      if (!page.isClosed()) throw error;
    });
  await closed;
};
const pressBack = () => (app.props('Modal').onRequestClose as () => void)();

describe('the widget', () => {
  test('links a bank, returns the token, and has no user data in URLs', async () => {
    await start({ externalUserId: 'user-77', keepsConnection: true, language: 'en' });
    await expectCalls('first onInit');
    await expect.poll(() => app.handle()).toMatchObject({ ready: true, error: undefined });
    expect(app.elements()).toEqual([]);
    const { page, widget } = await open();
    const requests = collectRequests(page);
    await selectInstitution(widget);
    await expectNoAxeViolations(page);
    await signIn(widget, 'twins');
    await shareAll(widget);
    await button(page, 'Done').waitFor();
    await expectCalls('first onInit', 'first onSuccess', 'first onInit');
    const acknowledged = () => requests.urls().some((url) => url.endsWith('/acknowledgement'));
    await expect.poll(acknowledged).toBe(true);
    // The application has put the connection into its options; the success screen is still open.
    await pressToClose(page, 'Done');
    await expect.poll(() => app.elements()).toEqual([]);
    await expect.poll(() => device.viewCount()).toBe(0);
    expect(app.calls).not.toContain('first onExit');

    requests.expectOnlyTo(service.url);
    expect(requests.urls().filter((url) => /user-77|sct_/.test(url))).toEqual([]);
    const [{ connectionId, scopedToken, user } = {}] = app.results;
    expect(user?.externalUserId).toBe('user-77');
    const { connections } = await unwrap(service.client(scopedToken).GET('/connections', {}));
    expect(connections.map(({ id }) => id)).toEqual([connectionId]);

    const again = await open();
    await again.page.getByLabel('Password').waitFor();
    await pressToClose(again.page, 'Close');
    await expect.poll(() => app.calls.at(-1)).toBe('first onExit');
  });

  test('keeps the connection if the application closes it in onSuccess', async () => {
    await start({ ...atBank, closesOnSuccess: true });
    const { widget } = await open();
    await proceed(widget);
    await signIn(widget, 'twins');
    await shareAll(widget);
    await expectCalls('first onInit', 'first onSuccess');
    const { db } = service.service;
    const [{ connectionId: id } = {}] = app.results;
    const pendingUntil = async () =>
      (await db.read('connections').where({ id }).first('deliveryExpiresAt'))?.deliveryExpiresAt;
    await expect.poll(pendingUntil, { timeout: 10_000 }).toBeNull();
  });

  test('the device’s back button goes to the previous screen, or closes the widget', async () => {
    await start();
    const { page, widget } = await open();
    await selectInstitution(widget);
    await page.getByLabel('Username').waitFor();
    pressBack();
    await page.getByRole('combobox').waitFor();
    pressBack();
    await page.getByText('You can stop at any time').waitFor();
    pressBack();
    await expectCalls('first onInit', 'first onExit');
    await expect.poll(() => app.elements()).toEqual([]);
  });

  test('can be closed while loading, with the back button and its close button', async () => {
    await start();
    app.handle().open();
    await expect.poll(() => app.elements()).toContain('ActivityIndicator');
    pressBack();
    await expectCalls('first onInit', 'first onExit');
    app.handle().open();
    await expect.poll(() => app.elements()).toContain('Pressable');
    expect(app.props('Pressable')).toMatchObject({
      accessibilityRole: 'button',
      accessibilityLabel: 'Close',
    });
    (app.props('Pressable').onPress as () => void)();
    await expectCalls('first onInit', 'first onExit', 'first onExit');
  });

  test('opens once, uses the latest callbacks, and closes when its component unmounts', async () => {
    await start();
    const { page } = await open();
    app.handle().open();
    await page.locator('[data-action=continue]').waitFor();
    await app.render({ ...options(), label: 'second' });
    await expect.poll(() => device.viewCount()).toBe(1);
    await app.unmount();
    await expectCalls('first onInit', 'second onExit');
    await expect.poll(() => device.viewCount()).toBe(0);
  });

  test('passes the user’s signature to the service', async () => {
    const { id: applicationId } = await service.addApplication();
    await allowNative(service, applicationId);
    const sign = await requireSignatures(applicationId);
    await start({ applicationId, externalUserId: 'user-79', userSignature: sign('user-78') });
    const { page } = await open();
    await page.getByRole('heading', { name: 'We couldn’t verify your session' }).waitFor();
    await pressToClose(page, 'Close');
    await expectCalls('first onInit', 'first onExit');
    await app.render({
      ...options(),
      applicationId,
      externalUserId: 'user-79',
      userSignature: sign('user-79'),
    });
    await expectCalls('first onInit', 'first onExit', 'first onInit');
    await (await open()).page.locator('[data-action=continue]').waitFor();
  });

  test('changed settings close it and are used from then on', async () => {
    await start();
    await (await open()).page.locator('[data-action=continue]').waitFor();
    await app.render({
      ...options(),
      language: 'de',
      institutionId: 'sandbox-bank',
      theme: { mode: 'dark' },
    });
    await expectCalls('first onInit', 'first onExit', 'first onInit');
    const { page } = await open();
    await button(page, de.consent.agree).click();
    // The institution from the options is selected.
    await page.getByLabel('Benutzername').waitFor();
    expect(await page.evaluate(() => document.documentElement.style.colorScheme)).toBe('dark');
    pressBack();
    await page.getByRole('combobox').waitFor();
  });

  test('closes when its page is reloaded or its process ends', async () => {
    await start();
    const { page } = await open();
    await page.locator('[data-action=continue]').waitFor();
    void page.reload().catch(() => undefined);
    await expectCalls('first onInit', 'first onExit');
    await (await open()).page.locator('[data-action=continue]').waitFor();
    (app.props('WebView').onRenderProcessGone as () => void)();
    await expectCalls('first onInit', 'first onExit', 'first onExit');
  });
});

describe('a bank with its own page', () => {
  /** Opens the widget and goes to the bank's page of user `redirect`. */
  const goToBank = async (): Promise<{ page: Page; widget: FrameLocator }> => {
    const opened = await open();
    await proceed(opened.widget);
    await signIn(opened.widget, 'redirect');
    await button(opened.page, 'Open Sandbox Bank').click();
    return opened;
  };
  const accountsOf = (page: Page) => page.getByRole('heading', { name: 'Choose accounts to share' });
  test('opens in the device’s browser, which leads back into the application and to the accounts', async () => {
    await start({ ...atBank, returnAddress });
    const { page } = await goToBank();
    await expect.poll(() => device.openedUrls.length).toBe(1);
    // The widget waits, and does not mention windows.
    await page.getByRole('heading', { name: 'Finish signing in on Sandbox Bank’s website' }).waitFor();
    expect(await page.getByText(/window has opened|seems to be closed/).count()).toBe(0);
    await expectNoAxeViolations(page);
    await button(page, 'Open the bank’s page again').click();
    await expect.poll(() => device.openedUrls.length).toBe(2);

    const browser = await (await (await launchBrowser()).newContext()).newPage();
    await browser.goto(device.openedUrls[1]!);
    await browser.getByLabel('Password').fill('password');
    await browser.getByRole('button', { name: 'Sign in and allow access' }).click();
    const back = browser.getByRole('link', { name: 'Back to Shop' });
    const url = (await back.getAttribute('href'))!;
    expect(url).toMatch(/^shop:\/\/bank-return\?code=[0-9A-Z]{4}-[0-9A-Z]{4}$/);
    await browser.context().close();
    // Addresses of other applications do not count as returns.
    for (const other of ['shop://other?code=0000-0000', 'shop://bank-return2?code=0000-0000', returnAddress])
      device.openApplication(other);
    device.openApplication(url);
    await accountsOf(page).waitFor();
    expect(device.scripts.filter((script) => script.includes('"returned"'))).toHaveLength(1);
    pressBack();
    await page.getByRole('combobox').waitFor();
    await pressToClose(page, 'Close');
    await expect.poll(() => device.urlListeners.size).toBe(0);
  });

  test('is opened by the application if it wants to, and accepts no code of another sign-in', async () => {
    const redirects: string[] = [];
    await start({ ...atBank, returnAddress, onRedirect: (url) => void redirects.push(url) });
    const { page } = await goToBank();
    await expect.poll(() => redirects.length).toBe(1);
    expect(device.openedUrls).toEqual([]);
    const other = await openAtBank(service, { returnAddress });
    const otherCode = await returnFromBank(service, other.bankPage);
    device.openApplication(`${returnAddress}?code=${otherCode}`);
    await page.getByRole('alert').getByText('This code doesn’t match your sign-in.').waitFor();
    const code = await returnFromBank(service, new URL(redirects[0]!));
    device.openApplication(`${returnAddress}?code=${code}`);
    await accountsOf(page).waitFor();
    // On another screen, a code is ignored.
    device.openApplication(`${returnAddress}?code=${code}`);
    pressBack();
    await page.getByRole('combobox').waitFor();
  });

  test('is reported as an error if the device cannot open it, and has a code to type if the application has no return address', async () => {
    await start(atBank);
    const { openUrl } = device;
    device.openUrl = () => Promise.reject(new Error('No browser.'));
    const { page, widget } = await goToBank();
    await expectCalls('first onInit', 'first onError No browser.');
    await page.getByRole('heading', { name: 'Finish signing in on Sandbox Bank’s website' }).waitFor();
    device.openUrl = openUrl;
    await button(page, 'Open the bank’s page again').click();
    await expect.poll(() => device.openedUrls.length).toBe(1);
    const code = await returnFromBank(service, new URL(device.openedUrls[0]!));
    device.openApplication(`${returnAddress}?code=${code}`);
    expect(device.scripts.join()).not.toContain(code);
    await page.getByLabel('Code from the other window').fill(code);
    await proceed(widget);
    await accountsOf(page).waitFor();
  });

  test('is opened only at addresses of banks and of the service', async () => {
    await start({ returnAddress });
    const { page } = await open();
    await page.locator('[data-action=continue]').waitFor();
    const onMessage = app.props('WebView').onMessage as (event: unknown) => void;
    const send = (url: unknown) => {
      const data = JSON.stringify({ serviceConnect: 1, kind: 'redirect', openId: 1, url });
      onMessage({ nativeEvent: { url: page.url(), data } });
    };
    for (const url of [
      'http://bank.example/',
      'javascript:alert(1)',
      'tel:112',
      'shop://x',
      `${service.url}.evil.example/`,
      7,
    ])
      send(url);
    expect(device.openedUrls).toEqual([]);
    send('https://bank.example/');
    expect(device.openedUrls).toEqual(['https://bank.example/']);
  });

  test('needs an address that the application has registered', async () => {
    await start({ returnAddress: 'shop://other' });
    const { page } = await open();
    await page.getByText('this return URL isn’t registered').waitFor();
  });
});

describe('errors', () => {
  test('an application that does not allow native use', async () => {
    const { id: applicationId } = await service.addApplication();
    await start({ applicationId });
    const { page } = await open();
    await page.getByRole('heading', { name: 'This app can’t connect banks' }).waitFor();
    await pressToClose(page, 'Close');
    await expectCalls('first onInit', 'first onExit');
  });

  test('invalid options and addresses without https', async () => {
    const wrong: [Partial<AppProps>, string][] = [
      [{ baseUrl: 'http://bank.example' }, '"baseUrl" must be the https address'],
      [{ baseUrl: 'https://user:password@bank.example' }, '"baseUrl" must be the https address'],
      [{ baseUrl: 'https://bank.example/?a=b' }, '"baseUrl" must be the https address'],
      [{ baseUrl: 'javascript://localhost/' }, '"baseUrl" must be the https address'],
      [{ applicationId: 'shop' }, '"applicationId" must be the application id'],
      [{ theme: { accentColor: 'red' } }, '"theme.accentColor" must be'],
      [{ returnAddress: 'shop://bank-return?code=1' }, '"returnAddress" must be'],
      [{ onRedirect: 'shop' as never }, '"onRedirect" must be a function'],
    ];
    await start(wrong[0]![0]);
    for (const [props, message] of wrong) {
      await app.render({ ...options(), ...props });
      await expect.poll(() => app.calls.at(-1)).toContain(message);
      app.handle().open();
      expect(app.handle().ready).toBe(false);
      expect(app.elements()).toEqual([]);
    }
  });

  test('an unreachable service is an error, and the next open retries', async () => {
    await start({ baseUrl: 'http://localhost:1' });
    app.handle().open();
    const message = 'first onError ServiceConnect: the page at http://localhost:1 could not be loaded.';
    await expectCalls('first onInit', 'first onExit', message);
    await expect.poll(() => app.handle().error).toBeInstanceOf(Error);
    await app.render(options());
    await (await open()).page.locator('[data-action=continue]').waitFor();
    expect(app.handle().error).toBeUndefined();
  });

  test('messages with another form, version, openId or origin are ignored', async () => {
    await start();
    const { page } = await open();
    await page.locator('[data-action=continue]').waitFor();
    const onMessage = app.props('WebView').onMessage as (event: unknown) => void;
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
    for (const [url, message] of forged) onMessage({ nativeEvent: { url, data: JSON.stringify(message) } });
    onMessage({ nativeEvent: { url: page.url(), data: 'not JSON' } });
    expect(app.calls).toEqual(['first onInit']);
    // The page ignores messages that do not come over the bridge.
    await page.evaluate(() => {
      window.postMessage({ serviceConnect: 1, kind: 'close', openId: 1 }, '*');
      window.serviceConnectPage!({ serviceConnect: 2, kind: 'close', openId: 1 });
      window.serviceConnectPage!(null);
    });
    await page.locator('[data-action=continue]').click();
    await page.getByRole('combobox').waitFor();
  });
});

describe('another origin', () => {
  const startOtherServer = async () => {
    const server = createServer((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'text/html' })
        .end('<script>received = []; serviceConnectPage = (message) => received.push(message)</script>'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    return { url, close: () => server.close().closeAllConnections() };
  };

  test('is not loaded', async () => {
    await start();
    const { page } = await open();
    await page.locator('[data-action=continue]').waitFor();
    const otherServer = await startOtherServer();
    for (const url of [otherServer.url, 'http://127.0.0.1.evil.example/', 'https://evil.example/']) {
      await page.evaluate((to) => location.assign(to), url);
      expect(app.props('WebView')).toMatchObject({ originWhitelist: ['*'] });
      const allowed = app.props('WebView').onShouldStartLoadWithRequest as (request: unknown) => boolean;
      expect(allowed({ url })).toBe(false);
    }
    for (const url of ['about:blank', 'tel:112', 'intent://x', 'file:///etc/hosts', undefined]) {
      const allowed = app.props('WebView').onShouldStartLoadWithRequest as (request: unknown) => boolean;
      expect(allowed({ url })).toBe(false);
    }
    await page.locator('[data-action=continue]').click();
    await page.getByRole('combobox').waitFor();
    otherServer.close();
  });

  test('that a web view loads without asking closes the widget and gets no message', async () => {
    await start({ externalUserId: 'user-78' }, { asksBeforeLoading: false });
    const { page } = await open();
    await page.locator('[data-action=continue]').waitFor();
    const otherServer = await startOtherServer();
    const before = device.scripts.length;
    await page.evaluate((to) => location.assign(to), otherServer.url);
    await expectCalls(
      'first onInit',
      'first onExit',
      `first onError ServiceConnect: the page at ${service.url} could not be loaded.`,
    );
    await expect.poll(() => device.viewCount()).toBe(0);
    // The scripts check the origin, so they do nothing in another page.
    const other = await device.context.newPage();
    await other.goto(otherServer.url);
    for (const script of device.scripts) await other.evaluate(script);
    expect(await other.evaluate(() => (window as unknown as { received: unknown[] }).received)).toEqual([]);
    expect(device.scripts.slice(before).join()).not.toContain('user-78');
    otherServer.close();
  });
});
