// Searching for a bank by keyboard, and the result for users whose bank is not listed.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoAxeViolations } from '../support/browser.ts';
import { makeScriptedConnector } from '../support/scriptedConnector.ts';
import { holdRequests, openHostPage, startWidgetFixture, type WidgetFixture } from './hostPage.ts';
import { pairwiseVariants, type ScreenTest, startScreenTest } from './screenTest.ts';
import { proceed } from './widgetSteps.ts';

const { connector } = makeScriptedConnector().module;
const bank = { fields: [], country: 'FR', audience: ['business' as const] };
const module = {
  connector,
  institutions: [
    { ...bank, id: 'firms', name: 'Firms Bank', beta: true as const },
    { ...bank, id: 'all', name: 'Bank for All', audience: ['personal' as const, ...bank.audience] },
  ],
};

let fixture: WidgetFixture;
beforeAll(async () => {
  fixture = await startWidgetFixture({ connectors: [module] });
});
afterAll(() => fixture.close());

const openSearch = async (variant = pairwiseVariants[0]!): Promise<ScreenTest> => {
  const screen = await startScreenTest(fixture, variant);
  await screen.host.open();
  await screen.proceed();
  await screen.heading(screen.t.institution.title);
  await screen.host.widget.getByRole('listbox').waitFor();
  return screen;
};

const names = ({ host }: ScreenTest) =>
  host.widget.getByRole('option').locator('.name > :first-child').allTextContents();
const activeName = async ({ host }: ScreenTest): Promise<string | undefined> => {
  const active = host.widget.getByRole('option', { selected: true }).locator('.name > :first-child');
  return (await active.allTextContents())[0];
};
const search = ({ host, t }: ScreenTest) =>
  host.widget.getByRole('combobox', { name: t.institution.search, exact: true });

describe('the search', () => {
  test('shows that a bank serves only businesses, and that it is in beta', async () => {
    const { id: applicationId } = await fixture.service.addApplication({
      ...{ environment: 'production', origins: [fixture.site.origin] },
    });
    const host = await openHostPage(fixture, { applicationId });
    await host.open();
    await proceed(host.widget);
    const details = host.widget.getByRole('listbox').locator('.details');
    await expect
      .poll(() => details.allTextContents(), { timeout: 10_000 })
      .toEqual(['France', 'France · Business · beta']);
    await expectNoAxeViolations(await host.frame());
  });

  test('lists popular banks first, with their countries; the keys move through it, and Escape or a button clears it before Escape closes the widget', async () => {
    const screen = await openSearch(pairwiseVariants[1]!);
    const { host, press, t } = screen;
    const { keyboard } = host.page;
    await expect.poll(() => search(screen).evaluate((field) => field === document.activeElement)).toBe(true);
    expect(await names(screen)).toEqual([
      ...['Sandbox Bank', 'Sandbox Credit Union', 'Sandbox Banco del Sur', 'Sandbox Building Society'],
      ...['Sandbox Crédit Régional', 'Sandbox Savings', t.institution.notListed],
    ]);
    const bank = host.widget.getByRole('option', { name: 'Sandbox Bank', exact: true });
    expect(await bank.locator('.details').textContent()).toBe('Deutschland');
    expect(await activeName(screen)).toBeUndefined();
    for (const [key, active] of [
      ['ArrowDown', 'Sandbox Bank'],
      ['ArrowDown', 'Sandbox Credit Union'],
      ['End', t.institution.notListed],
      ['ArrowDown', 'Sandbox Bank'],
      ['ArrowUp', t.institution.notListed],
      ['Home', 'Sandbox Bank'],
    ] as const) {
      await keyboard.press(key);
      expect(await activeName(screen)).toBe(active);
      // The focus stays in the field, which refers to the option.
      const id = await search(screen).getAttribute('aria-activedescendant');
      expect(await host.widget.locator(`#${id}`).getAttribute('aria-selected')).toBe('true');
      expect(await search(screen).evaluate((field) => field === document.activeElement)).toBe(true);
    }
    await search(screen).fill('spanien');
    await expect.poll(() => names(screen)).toEqual(['Sandbox Banco del Sur', t.institution.notListed]);
    await search(screen).fill('SBS');
    await expect.poll(() => names(screen)).toContain('Sandbox Building Society');
    await press(t.institution.clear);
    expect(await search(screen).inputValue()).toBe('');
    await search(screen).fill('00-00-17');
    await expect.poll(async () => (await names(screen))[0]).toBe('Sandbox Building Society');
    await host.page.keyboard.press('Escape');
    expect(await search(screen).inputValue()).toBe('');
    await expect.poll(() => names(screen)).toHaveLength(7);
    await host.expectEvents('onInit');
    await host.page.keyboard.press('Escape');
    await host.expectEvents('onInit', 'onExit');
  });

  test('Enter selects the best match of the text, and nothing while there is no text or match', async () => {
    const screen = await openSearch();
    const { host, t, heading } = screen;
    await search(screen).press('Enter');
    await search(screen).fill('qqqq');
    await host.widget.getByText(t.institution.notFound('qqqq')).waitFor();
    await search(screen).press('Enter');
    await heading(t.institution.title);
    await search(screen).fill('regional');
    await expect.poll(async () => (await names(screen))[0]).toBe('Sandbox Crédit Régional');
    // Nor while the list still shows results for an earlier text.
    const goOn = await holdRequests(host.page, /institutions\?/);
    await search(screen).fill('savings');
    await search(screen).press('Enter');
    goOn();
    await expect.poll(async () => (await names(screen))[0]).toBe('Sandbox Savings');
    await search(screen).press('Enter');
    await heading(t.credentials.title('Sandbox Savings'));
  });
});
