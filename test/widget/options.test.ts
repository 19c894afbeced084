// The theme, the preselected institution and signed user ids.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signUser } from '../../client/index.ts';
import { changeApplication, createIdentitySecret } from '../../src/domain/applications/applications.ts';
import { findApplication } from '../../src/domain/applications/store.ts';
import { byOperator } from '../../src/domain/audit/by.ts';
import { expectNoAxeViolations } from '../support/browser.ts';
import {
  type HostPage,
  type HostPageOptions,
  openHostPage,
  startWidgetFixture,
  type WidgetFixture,
} from './hostPage.ts';
import { press, proceed, signIn } from './widgetSteps.ts';

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture();
});
afterAll(() => fixture.close());

const heading = (host: HostPage, name: string) => host.widget.getByRole('heading', { name }).waitFor();
const username = (host: HostPage) => host.widget.getByLabel('Username').waitFor();

describe.concurrent('a theme', () => {
  const styleOf = (host: HostPage, selector: string, property: string): Promise<string> =>
    host.widget
      .locator(selector)
      .evaluate((element, property) => getComputedStyle(element).getPropertyValue(property), property);

  test.each(['#ffee00', '#0000ff'])('with %s has enough contrast, light and dark', async (accentColor) => {
    const host = await openHostPage(fixture, { theme: { accentColor }, institutionId: 'sandbox-bank' });
    const frame = await host.frame();
    const checkBothSchemes = async () => {
      for (const colorScheme of ['light', 'dark'] as const) {
        await host.page.emulateMedia({ colorScheme });
        await expectNoAxeViolations(frame);
      }
    };
    await host.open();
    await host.widget.locator('[data-action=continue]').waitFor();
    await checkBothSchemes();
    await proceed(host.widget);
    await signIn(host.widget, 'good');
    await host.widget.getByRole('checkbox').first().check();
    await checkBothSchemes();
    await host.close();
  });

  test('sets the colour, the corners and the scheme, whatever the system prefers', async () => {
    const theme = { mode: 'dark', accentColor: '#7ad6d8', radius: 0 } as const;
    const host = await openHostPage(fixture, { theme, browser: { colorScheme: 'light' } });
    await host.open();
    await host.widget.locator('[data-action=continue]').waitFor();
    expect(await styleOf(host, '.primary-button', 'background-color')).toBe('rgb(122, 214, 216)');
    expect(await styleOf(host, '.primary-button', 'border-top-left-radius')).toBe('0px');
    expect(await styleOf(host, '.card', 'background-color')).toBe('rgb(23, 27, 33)');
    // With different schemes, the browser would paint an opaque background.
    expect(await host.page.locator('iframe').evaluate((frame) => getComputedStyle(frame).colorScheme)).toBe(
      'dark',
    );
    await host.close();
  });
});

test('institutionId is selected after consent, the user can go back to the list, and an unknown one shows the list', async () => {
  const host = await openHostPage(fixture, { institutionId: 'sandbox-savings' });
  await host.open();
  await proceed(host.widget);
  await username(host);
  expect(await host.widget.getByRole('combobox').count()).toBe(0);
  await host.widget.getByText('Sandbox Savings').first().waitFor();
  await press(host.widget, 'Back');
  await host.widget.getByRole('option', { name: 'Sandbox Bank', exact: true }).waitFor();
  await host.reload({ institutionId: 'no-such-bank', externalUserId: 'another' });
  await host.open();
  await proceed(host.widget);
  await host.widget.getByRole('option', { name: 'Sandbox Bank', exact: true }).click();
  await username(host);
  await host.close();
});

describe.concurrent('a signed user id', () => {
  const docs = readFileSync(join(import.meta.dirname, '../../docs/widget.md'), 'utf8');
  /** Runs the line of code in docs/widget.md. */
  const sign = (id: string, secret: string, connectionId?: string): string => {
    const line = /const userSignature = (signUser\([^;]+);/.exec(docs)![1];
    const run = new Function('signUser', 'process', 'user', 'connectionId', `return ${line}`);
    return run(signUser, { env: { IDENTITY_SECRET: secret } }, { id }, connectionId);
  };

  const requireSignatures = async (): Promise<{ applicationId: string; secret: string }> => {
    const { id } = await fixture.service.addApplication({ origins: [fixture.site.origin] });
    const { db, secrets } = fixture.service.service;
    const application = (await findApplication(db.read, id))!;
    const now = new Date();
    const by = byOperator(application.organizationId, now);
    const created = await createIdentitySecret(db, secrets.identity, application, by);
    await changeApplication(db.write, created.application, { change: { identityRequired: true }, now });
    return { applicationId: id, secret: created.secret };
  };

  test('can link and reconnect; a missing or wrong signature is rejected', async () => {
    const { applicationId, secret } = await requireSignatures();
    const externalUserId = 'user-1207';
    const host = await openHostPage(fixture, {
      applicationId,
      institutionId: 'sandbox-bank',
      externalUserId,
    });
    const open = async (options: HostPageOptions) => {
      await host.reload(options);
      await host.open();
    };
    for (const userSignature of [undefined, sign('user-1208', secret)]) {
      await open({ userSignature });
      await heading(host, 'We couldn’t verify your session');
    }
    await host.widget.getByRole('dialog').getByRole('button', { name: 'Close' }).first().click();
    await host.expectEvents('onInit', 'onExit');
    const forLink = sign(externalUserId, secret);
    await open({ userSignature: forLink });
    await proceed(host.widget);
    await signIn(host.widget, 'twins');
    await proceed(host.widget);
    await host.expectEvents('onInit', 'onSuccess');
    const { user, connectionId } = await host.result();
    expect(user?.externalUserId).toBe(externalUserId);
    await open({ connectionId, userSignature: forLink });
    await heading(host, 'This connection can’t be restored');
    await open({ connectionId, userSignature: sign(externalUserId, secret, connectionId) });
    await username(host);
    await host.close();
  });
});
