// Host pages without an origin, in a sandboxed frame or opened as a file or data: URL: the widget explains why it cannot open. A
// frame with all required permissions connects a bank.
import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FrameLocator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { launchBrowser } from '../support/browser.ts';
import { startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { press, selectInstitution, signIn } from './widgetSteps.ts';

let fixture: WidgetFixture;
let directory: string;
beforeAll(async () => {
  fixture = await startWidgetFixture();
  directory = await mkdtemp(join(tmpdir(), 'host-page-'));
});
afterAll(async () => {
  await fixture.close();
  await rm(directory, { recursive: true, force: true });
});

/** A page that opens the widget at once. */
const hostHtml = (): string =>
  `<!doctype html><body><script src="${fixture.service.url}/connect.js"></script><script>
    ServiceConnect.init({ applicationId: '${fixture.service.application.id}' }).open();
  </script>`;
const fromSite = (): string =>
  `src="${fixture.site.origin}/early?application=${fixture.service.application.id}"`;
const inSrcdoc = (): string => `srcdoc="${hostHtml().replaceAll('"', '&quot;')}"`;
/** The address of a separate file. */
const fileUrl = async (html: string): Promise<string> => {
  const path = join(directory, `${randomUUID()}.html`);
  await writeFile(path, html);
  return pathToFileURL(path).href;
};

const inFrame = (source: string): string => `<iframe ${source} style="width: 100%; height: 90vh"></iframe>`;
const frames = (): string[] => [
  inFrame(`sandbox="allow-scripts" ${fromSite()}`),
  inFrame(`sandbox="allow-scripts" ${inSrcdoc()}`),
  // The browser lets a data: URL load resources from this machine only if it is within a file.
  inFrame(`src="data:text/html,${encodeURIComponent(hostHtml())}"`),
];

const expectToldWhy = async (host: Page | FrameLocator): Promise<void> => {
  const alert = host.getByRole('alert');
  await alert.getByText('This page has no origin to allow.').waitFor();
  const text = await alert.textContent();
  expect(text).toContain('add allow-same-origin');
  expect(text).toContain('serve it over HTTP');
};

test('a sandboxed frame, a data: URL and a file see why they have no origin, and what to do', async () => {
  const page = await (await launchBrowser()).newPage({ locale: 'en-US' });
  await page.goto(await fileUrl(frames().join('')));
  for (const at of frames().keys()) await expectToldWhy(page.frameLocator(`iframe >> nth=${at}`));
  await page.goto(await fileUrl(hostHtml()));
  await expectToldWhy(page);
});

test('a sandboxed frame with the permissions in docs/widget.md signs in at a bank, even on the bank’s own page', async () => {
  const docs = await readFile(join(import.meta.dirname, '../../docs/widget.md'), 'utf8');
  const [, sandbox] = /sandbox="([^"]+)"/.exec(docs)!;
  const page = await (await launchBrowser()).newPage({ locale: 'en-US' });
  await page.goto(fixture.site.origin);
  await page.evaluate(
    (html) => document.body.insertAdjacentHTML('beforeend', html),
    inFrame(`sandbox="${sandbox}" ${fromSite()}`),
  );
  const widget = page.frameLocator('iframe').frameLocator('iframe');
  await selectInstitution(widget);
  await signIn(widget, 'redirect');
  const popup = page.waitForEvent('popup');
  await press(widget, 'Open Sandbox Bank');
  const bank = await popup;
  await bank.getByLabel('Password').fill('password');
  await bank.getByRole('button', { name: 'Sign in and allow access' }).click();
  await widget.getByRole('heading', { name: 'Choose accounts to share' }).waitFor();
});
