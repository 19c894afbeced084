// The labels of the sign-in form in a real browser: the page's own where it knows the text, otherwise the bank's.
import { expect, test } from 'vitest';
import type { CredentialField } from '../../connectors/kit/contract.ts';
import { startWidgetFixture } from './hostPage.ts';
import { refusingConnector } from './refusingConnector.ts';
import { pairwiseVariants, startScreenTest } from './screenTest.ts';

const fields: CredentialField[] = [
  { name: 'customer', label: 'Harbour number', labelKey: 'customer_number', secret: false },
  { name: 'word', label: 'Memorable word', secret: true },
];

test('a label with a key is in the language of the user, one without is the bank’s text', async () => {
  const institutions = [{ id: 'harbour-bank', name: 'Harbour Bank', fields }];
  const fixture = await startWidgetFixture({ connectors: [{ ...refusingConnector, institutions }] });
  const { id: applicationId } = await fixture.service.addApplication({
    environment: 'production',
    origins: [fixture.site.origin],
  });
  const screen = await startScreenTest(fixture, pairwiseVariants[1]!, {
    applicationId,
    institutionId: 'harbour-bank',
  });
  const { host, heading, proceed } = screen;
  await host.open();
  await proceed();
  await heading('Bei Harbour Bank anmelden');
  expect(await host.widget.locator('label').allTextContents()).toEqual(['Kundennummer', 'Memorable word']);
  await proceed();
  expect(await host.widget.getByRole('alert').textContent()).toBe('Geben Sie Ihre Kundennummer ein.');
  await host.close();
  await fixture.close();
});
