// A device for the tests: a browser whose pages are the web views. It implements react-native-webview's bridge
// (`window.ReactNativeWebView.postMessage`, injected scripts) and its navigation events.
import type { BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import type { BrowserView, Device } from './stubs/device.ts';

type Props = Parameters<Device['openView']>[0];

export type BrowserDevice = Device & {
  context: BrowserContext;
  /** The page of the open web view. */
  page(): Promise<Page>;
  /** The number of open web views. */
  viewCount(): number;
  /** The scripts that the application injected. */
  scripts: string[];
  /** The addresses opened by the application. */
  openedUrls: string[];
  /** Opens the application at an address. */
  openApplication(url: string): void;
  close(): Promise<void>;
};

export type BrowserDeviceOptions = {
  /** False loads pages without calling onShouldStartLoadWithRequest, as some web views do. */
  asksBeforeLoading?: boolean;
};

export const startBrowserDevice = async ({
  asksBeforeLoading = true,
}: BrowserDeviceOptions = {}): Promise<BrowserDevice> => {
  const browser = await launchBrowser();
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  const views = new Set<Promise<Page>>();
  const propsByPage = new Map<Page, Props>();
  const scripts: string[] = [];
  const openedUrls: string[] = [];
  const urlListeners: Device['urlListeners'] = new Set();
  await context.exposeBinding('toApplication', ({ page, frame }, data: string) =>
    propsByPage
      .get(page)?.()
      .onMessage?.({ nativeEvent: { url: frame.url(), data } }),
  );
  await context.addInitScript(() => {
    const { toApplication } = window as unknown as { toApplication: (text: string) => void };
    window.ReactNativeWebView = { postMessage: toApplication };
  });
  await context.route('**/*', (route) => {
    const request = route.request();
    const props = propsByPage.get(request.frame().page())?.();
    if (props && request.isNavigationRequest()) {
      const event = { url: request.url() };
      if (asksBeforeLoading && !props.onShouldStartLoadWithRequest?.(event)) return route.abort('aborted');
      props.onLoadStart?.({ nativeEvent: event });
    }
    return route.continue();
  });
  return {
    context,
    page: () => [...views].at(-1)!,
    viewCount: () => views.size,
    scripts,
    openedUrls,
    openUrl: async (url) => void openedUrls.push(url),
    urlListeners,
    openApplication: (url) => {
      for (const listener of urlListeners) listener({ url });
    },
    openView: (props): BrowserView => {
      const opened = context.newPage();
      views.add(opened);
      // Opening fails if the context is being closed.
      void opened.then(
        (page) => {
          propsByPage.set(page, props);
          return load(page, props);
        },
        () => undefined,
      );
      return {
        run: (script) => {
          scripts.push(script);
          // A closed view runs no scripts.
          void opened.then((page) => page.evaluate(script)).catch(() => undefined);
        },
        close: () => {
          views.delete(opened);
          void opened.then((page) => page.close()).catch(() => undefined);
        },
      };
    },
    close: () => context.close(),
  };
};

const load = async (page: Page, props: Props): Promise<void> => {
  page.on('load', () => props().onLoadEnd?.({ nativeEvent: { url: page.url() } }));
  page.on('response', (response) => {
    const failed = response.status() >= 400 && response.request().isNavigationRequest();
    if (failed) props().onHttpError?.({ nativeEvent: { url: response.url() } });
  });
  await page.goto(props().source.uri).catch(() => {
    if (!page.isClosed()) props().onError?.();
  });
};
