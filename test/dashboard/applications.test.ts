// Changing an application on its page: origins, signed user ids, native use, return addresses, name; an API key that expires; switching
// organizations, theme and filters.
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { signUser } from '../../client/index.ts';
import { createOrganization } from '../../src/domain/applications/applications.ts';
import { byOperator, operatorActor } from '../../src/domain/audit/by.ts';
import { invite as inviteAsOperator } from '../../src/domain/members/invitations.ts';
import { jpeg, png } from '../logos/files.ts';
import { expectNoAxeViolations } from '../support/browser.ts';
import {
  alertDialog,
  button,
  copySecret,
  focusedName,
  heading,
  modal,
  navigateTo,
  selectOption,
  useOwnerDashboard,
} from './fixture.ts';

const owner = useOwnerDashboard();

const card = (name: string) => owner.page.getByRole('region', { name });
const origins = () => card('Allowed origins');

test('origins are edited one per line; the URL of a page counts as its origin', async () => {
  const { page } = owner;
  await owner.open(`applications/${owner.application.id}`);
  await button(origins(), 'Change').click();
  await page.getByLabel('Origins, one per line').fill('https://shop.example\nhttps://pay.example/cart?x=1');
  await button(page, 'Save').click();
  await origins().getByText('https://pay.example', { exact: true }).waitFor();
  expect(await origins().getByRole('listitem').allInnerTexts()).toEqual([
    'https://shop.example',
    'https://pay.example',
  ]);
});

test('an invalid origin is reported at the field, and the first click after a message of two lines counts', async () => {
  const { page } = owner;
  const width = page.viewportSize()!;
  await page.setViewportSize({ width: 360, height: 800 });
  await button(origins(), 'Change').click();
  const field = page.getByLabel('Origins, one per line');
  await field.fill('shop example');
  await button(page, 'Save').click();
  await page.getByText('“shop” is not an origin.').waitFor();
  await button(page, 'Cancel').click();
  await expect.poll(() => origins().getByRole('listitem').count()).toBe(2);
  await button(origins(), 'Change').click();
  await field.fill(
    'https://shop.example\nhttps://a-very-long-name-of-a-host-that-needs-two-lines.example/\nftp://x',
  );
  await button(page, 'Save').click();
  const message = origins().locator('.field-error');
  await message.waitFor();
  expect((await message.boundingBox())!.height).toBeGreaterThan(30);
  await field.fill('https://shop.example\nhttps://pay.example');
  // Presses and releases the mouse at the position of the button, as a hand does.
  const { x, y, width: w, height: h } = (await button(page, 'Save').boundingBox())!;
  await page.mouse.move(x + w / 2, y + h / 2);
  await page.mouse.down();
  await message.waitFor({ state: 'detached' });
  await page.mouse.up();
  await button(page, 'Save').waitFor({ state: 'detached' });
  await page.setViewportSize(width);
});

test('a signature can be required once there is a secret; the secret is shown once', async () => {
  const { page } = owner;
  const required = page.getByRole('switch', { name: /^Require a valid signature/ });
  expect(await required.isDisabled()).toBe(true);
  await button(page, 'Create secret').click();
  const secret = await copySecret(page, 'Your signing secret');
  expect(secret).toMatch(/^[\w-]{43}$/);
  await expect.poll(() => required.isEnabled()).toBe(true);
  await required.click({ force: true });
  await expect.poll(() => required.isChecked()).toBe(true);
  await expect.poll(() => required.isEnabled()).toBe(true);
  await page.reload();
  await expect.poll(() => required.isChecked()).toBe(true);
  expect(await page.content()).not.toContain(secret);
});

test('with a secret, the code samples sign user ids as the client does', async () => {
  const { page } = owner;
  await page.getByRole('link', { name: 'Code', exact: true }).click();
  const html = page.getByRole('region', { name: 'HTML sample' });
  await expect.poll(() => html.innerText()).toContain('userSignature:');
  await page.getByRole('tab', { name: 'Backend' }).click();
  const sample = page.getByRole('region', { name: 'Backend sample' });
  await expect.poll(() => sample.innerText()).toContain('signUser');
  const [code] = /const signUser = [\s\S]+?\n};/.exec(await sample.innerText())!;
  const makeSign = new Function('createHmac', 'process', `${code} return signUser;`);
  const sign = makeSign(createHmac, { env: { BANK_CONNECTION_SIGNING_SECRET: 'secret' } });
  for (const [externalUserId, connectionId] of [['ann'], ['ann', 'con_1']]) {
    const signature: string = sign(externalUserId, connectionId);
    const at = new Date(Number(/^t=(\d+)/.exec(signature)![1]) * 1000);
    expect(signature).toBe(signUser('secret', { externalUserId, connectionId, at }));
  }
  await page.getByRole('link', { name: 'Settings' }).click();
});

test('replacing the secret needs a confirmation', async () => {
  const { page } = owner;
  await button(page, 'Replace secret').click();
  await button(alertDialog(page, 'Replace the signing secret?'), 'Replace secret').click();
  expect(await copySecret(page, 'Your signing secret')).toMatch(/^[\w-]{43}$/);
});

test('native use is allowed with a switch, and its return addresses are edited one per line', async () => {
  const { page } = owner;
  const native = page.getByRole('switch', { name: 'Native applications may open the widget' });
  await native.click({ force: true });
  await expect.poll(() => native.isChecked()).toBe(true);
  const addresses = card('Return URLs');
  await addresses.getByText('None yet: users of a native application enter a code').waitFor();
  await button(addresses, 'Change').click();
  const field = addresses.getByLabel('Return URLs, one per line');
  await field.fill('shop://bank-return?code=1');
  await button(addresses, 'Save').click();
  await addresses.getByText('“shop://bank-return?code=1” is not a return URL.').waitFor();
  // The service refuses a value that only looks like one.
  await field.fill('javascript://bank-return');
  // This removes the message, which moves the button.
  await field.blur();
  await button(addresses, 'Save').click();
  await addresses.getByText('must look like shop://bank-return').waitFor();
  await field.fill('shop://bank-return\nhttps://shop.example/bank-return');
  await button(addresses, 'Save').click();
  await expect
    .poll(() => addresses.getByRole('listitem').allInnerTexts())
    .toEqual(['shop://bank-return', 'https://shop.example/bank-return']);
  await page.reload();
  await expect.poll(() => addresses.getByRole('listitem').count()).toBe(2);
  expect(await native.isChecked()).toBe(true);
});

test('an application can be renamed; its environment is permanent', async () => {
  const { page } = owner;
  await button(page, 'Rename').click();
  const form = modal(page, 'Rename application');
  await form.getByLabel('Name').fill('Money app');
  await button(form, 'Rename').click();
  await heading(page, /Money app/).waitFor();
  await expect.poll(() => page.getByText('Sandbox (can’t be changed)').count()).toBe(1);
});

test('an owner lowers the rate limit, and removes the limit again', async () => {
  const { page } = owner;
  const card = page.getByRole('region', { name: 'Rate limit' });
  await card.getByText('6,000 requests per minute, the operator’s maximum.').waitFor();
  await button(card, 'Change').click();
  const form = modal(page, 'Change rate limit');
  await form.getByLabel('Requests per minute').fill('6001');
  await button(form, 'Save').click();
  await form.getByText('Enter a whole number from 1 to 6,000, or leave it empty.').waitFor();
  await form.getByLabel('Requests per minute').fill('600');
  await button(form, 'Save').click();
  await card.getByText('600 requests per minute, out of the 6,000 that the operator allows.').waitFor();
  await button(card, 'Change').click();
  await form.getByLabel('Requests per minute').fill('');
  await button(form, 'Save').click();
  await card.getByText('6,000 requests per minute, the operator’s maximum.').waitFor();
});

test('a logo is uploaded, replaced and removed; a file that is not a logo is refused', async () => {
  const { page } = owner;
  const card = page.getByRole('region', { name: 'Appearance' }).getByRole('region', { name: 'Logo' });
  const upload = (name: string, buffer: Buffer) =>
    card.locator('input[type=file]').setInputFiles({ name, mimeType: 'image/png', buffer });
  const image = card.locator('img');
  await card.getByText('Without a logo, users see initials.').waitFor();
  await upload('logo.png', png);
  const shown = () => image.evaluate((element: HTMLImageElement) => element.naturalWidth);
  await expect.poll(shown).toBe(16);
  const first = await image.getAttribute('src');
  await button(card, 'Replace').waitFor();
  await upload('other.png', jpeg);
  await expect.poll(() => image.getAttribute('src')).not.toBe(first);
  await expect.poll(shown).toBe(16);
  await upload('page.png', Buffer.from('<script>'));
  await card.getByText('must be a PNG, JPEG or WebP file of at most 100 kB and 512 by 512 pixels.').waitFor();
  await expect.poll(shown).toBe(16);
  await button(card, 'Remove').click();
  await card.getByText('Without a logo, users see initials.').waitFor();
  await button(card, 'Upload').waitFor();
});

test('a color is shown in the preview before it is saved, and in the widget afterwards', async () => {
  const { page } = owner;
  const card = page.getByRole('region', { name: 'Appearance' });
  const preview = card.frameLocator('iframe[title="Preview of the widget"]');
  await preview.getByRole('heading', { name: 'Let Money app read your bank data' }).waitFor();
  const background = () =>
    preview.locator('[data-action=continue]').evaluate((it) => getComputedStyle(it).backgroundColor);
  const usual = await background();
  await card.getByLabel('Color', { exact: true }).fill('#a02');
  await button(card, 'Save color').click();
  await card.getByText('Enter a color such as #0b6b6f.').waitFor();
  expect(await background()).toBe(usual);
  await card.getByLabel('Color', { exact: true }).fill('#a0206f');
  await expect.poll(background).toBe('rgb(160, 32, 111)');
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
  await button(card, 'Save color').click();
  await saved;
  await page.reload();
  expect(await card.getByLabel('Color', { exact: true }).inputValue()).toBe('#a0206f');
  await expect.poll(background).toBe('rgb(160, 32, 111)');
});

test('an API key can have an expiry', async () => {
  const { page } = owner;
  await page.getByRole('link', { name: 'API keys' }).click();
  await button(page, 'New API key').click();
  const form = modal(page, 'New API key');
  await form.getByLabel('Name').fill('For a month');
  await selectOption(page, 'Expires', 'In 30 days');
  await button(form, 'Create API key').click();
  await copySecret(page, 'Your API key');
  const row = page.getByRole('row', { name: /For a month/ });
  await expect.poll(() => row.locator('time').count()).toBe(2);
});

test('a member of two organizations switches between them and sees only the data of one', async () => {
  const { page } = owner;
  const { service } = owner.server;
  const now = new Date();
  const other = await createOrganization(service.db, 'Harbour Labs', { actor: operatorActor, now });
  const invitation = { email: 'ada@northwind.example', role: 'viewer' } as const;
  const { url } = await inviteAsOperator(service.members, invitation, byOperator(other.id, now));
  await page.goto(url);
  await button(page, 'Accept and continue').click();
  await page.getByText('No application yet').waitFor();
  await expect.poll(() => button(page, 'Create an application').count()).toBe(0);
  await page.getByRole('button', { name: /^Organization:/ }).click();
  await page.getByRole('menuitemradio', { name: 'Demo organization' }).click();
  await navigateTo(page, 'Applications');
  await page.getByRole('link', { name: 'Money app' }).waitFor();
  await page.goto(page.url().replace(/org_\w+/, 'org_0000000000000000000000'));
  await heading(page, 'Not found').waitFor();
  await page.getByText('Page not found').waitFor();
});

test('an application is archived in a dialog that explains the effect, leaves the list, and is restored', async () => {
  const { page } = owner;
  await page.goto('/dashboard');
  await navigateTo(page, 'Applications');
  const list = page.getByRole('table', { name: 'Applications', exact: true });
  const archived = page.getByRole('table', { name: 'Archived applications' });
  await list.getByRole('link', { name: 'Money app' }).click();
  await button(card('Archive'), 'Archive').click();
  const dialog = alertDialog(page, 'Archive Money app?');
  await dialog.getByText('Its API keys and SimpleFIN access stop working.').waitFor();
  await button(dialog, 'Archive').click();
  await page.getByText('Its API keys are refused, and nothing is connected').waitFor();
  await expect.poll(() => button(card('Archive'), 'Archive').count()).toBe(0);
  await expect.poll(() => focusedName(page)).toMatch(/^Money app/);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
  await expectNoAxeViolations(page);
  await page.goto('/dashboard');
  await page.getByText('All applications are archived').waitFor();
  await page.getByRole('link', { name: 'New application' }).waitFor();
  await expectNoAxeViolations(page);
  await page.getByRole('link', { name: 'Restore an application' }).click();
  await page.getByText('All applications are archived').waitFor();
  await button(page, 'New application').waitFor();
  await archived.getByRole('link', { name: 'Money app' }).waitFor();
  expect(await list.getByRole('link', { name: 'Money app' }).count()).toBe(0);
  await expectNoAxeViolations(page);
  await button(archived, 'Restore Money app').click();
  await list.getByRole('link', { name: 'Money app' }).waitFor();
  expect(await archived.count()).toBe(0);
});

test('the dark theme is stored', async () => {
  const { page } = owner;
  await page.goto('/dashboard');
  await page.getByRole('button', { name: /^Your account/ }).click();
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  await expect.poll(background).toBe('rgb(15, 18, 23)');
  await page.reload();
  await heading(page, 'Overview').waitFor();
  await expect.poll(background).toBe('rgb(15, 18, 23)');
});

test('the audit log is filtered by action', async () => {
  const { page } = owner;
  await navigateTo(page, 'Audit log');
  await selectOption(page, 'Action', 'Renamed an application');
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row');
  await expect.poll(() => rows.count()).toBe(2);
  await selectOption(page, 'Action', 'Ended a session');
  await page.getByText('No matching events').waitFor();
  await button(page, 'Show all').click();
  await expect.poll(() => rows.count()).toBeGreaterThan(5);
});
