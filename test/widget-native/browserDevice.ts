// A phone: a browser whose pages stand in for the web views of an application. It speaks the bridge that
// react-native-webview speaks: `window.ReactNativeWebView.postMessage` out, scripts run in the page in, and the
// questions and events in between.
import type { BrowserContext, Page } from 'playwright-core';
import { launchBrowser } from '../support/browser.ts';
import type { BrowserView, Device } from './stubs/device.ts';

type Props = Parameters<Device['openView']>[0];

export type BrowserDevice = Device & {
  context: BrowserContext;
  /** The page of the web view that is there. */
  page(): Promise<Page>;
  /** How many web views are there. */
  views(): number;
  /** Scripts that the application had run. */
  scripts: string[];
  close(): Promise<void>;
};

export type BrowserDeviceOptions = {
  /** Some web views go somewhere without having asked. */
  asksBeforeLoad?: boolean;
};

export const startBrowserDevice = async ({
  asksBeforeLoad = true,
}: BrowserDeviceOptions = {}): Promise<BrowserDevice> => {
  const browser = await launchBrowser();
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    isMobile: true,
    locale: 'en-US',
    reducedMotion: 'reduce',
  });
  const opening = new Set<Promise<Page>>();
  const shown = new Map<Page, Props>();
  const scripts: string[] = [];
  await context.exposeBinding('toApplication', ({ page, frame }, data: string) =>
    shown
      .get(page)?.()
      .onMessage?.({ nativeEvent: { url: frame.url(), data } }),
  );
  await context.addInitScript(() => {
    const { toApplication } = window as unknown as { toApplication: (text: string) => void };
    window.ReactNativeWebView = { postMessage: toApplication };
  });
  await context.route('**/*', (route) => {
    const request = route.request();
    const props = shown.get(request.frame().page())?.();
    if (props && request.isNavigationRequest()) {
      const place = { url: request.url() };
      if (asksBeforeLoad && !props.onShouldStartLoadWithRequest?.(place)) return route.abort('aborted');
      props.onLoadStart?.({ nativeEvent: place });
    }
    return route.continue();
  });
  return {
    context,
    page: () => [...opening].at(-1)!,
    views: () => opening.size,
    scripts,
    openView: (props): BrowserView => {
      const opened = context.newPage();
      opening.add(opened);
      // A view may be asked for as the phone is put away.
      void opened.then(
        (page) => {
          shown.set(page, props);
          return load(page, props);
        },
        () => undefined,
      );
      return {
        run: (script) => {
          scripts.push(script);
          // A view that is gone runs nothing any more.
          void opened.then((page) => page.evaluate(script)).catch(() => undefined);
        },
        close: () => {
          opening.delete(opened);
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
