// The log of requests: the empty page, a request that appears by itself, and the search for its id by keyboard.
import { expect, test } from 'vitest';
import { expectNoAxeViolations } from '../support/browser.ts';

import { selectOption, tabTo, useOwnerDashboard } from './fixture.ts';

const owner = useOwnerDashboard();

const row = (name: RegExp) => owner.page.getByRole('table', { name: 'Requests' }).getByRole('row', { name });

/** Returns the request's id. */
const send = async (path: string, method = 'GET'): Promise<string> => {
  const headers = { Authorization: `Bearer ${owner.application.apiKey}` };
  const response = await fetch(`${owner.url}${path}`, { method, headers });
  return response.headers.get('Request-Id')!;
};

test('a request appears by itself, and is found by its id', async () => {
  const { page } = owner;
  await owner.open('requests');
  await page.getByText('Requests from your backend appear within seconds.').waitFor();
  await page.getByText('the newest 1,000 successful requests').waitFor();
  await expectNoAxeViolations(page);

  const missing = await send('/connections/con_0000000000000000000000', 'DELETE');
  await send('/connections');
  await row(/revokeConnection.*404.*not_found.*None.*First key/).waitFor();
  await row(/listConnections.*403.*forbidden/).waitFor();
  await expectNoAxeViolations(page);

  await tabTo(page, /^Request id$/);
  await page.keyboard.type(missing);
  await expect.poll(() => row(/\d{3}/).count()).toBe(1);
  await row(/revokeConnection/).waitFor();
  await selectOption(page, 'Operation', 'listAccounts');
  await page.getByText('No matching requests').waitFor();
  await expectNoAxeViolations(page);
  await tabTo(page, /^Show all$/);
  await page.keyboard.press('Enter');
  await selectOption(page, 'Result', 'Refused (4xx)');
  await expect.poll(() => row(/First key/).count()).toBe(2);
});

test('a failed request can be repeated', async () => {
  const { page } = owner;
  await page.route(
    (url) => /\/api\/.*\/requests$/.test(url.pathname),
    (route) => route.fulfill({ status: 400, contentType: 'application/problem+json', body: '{}' }),
  );
  await page.reload();
  const retry = page.getByRole('button', { name: 'Try again' });
  await retry.waitFor();
  await expectNoAxeViolations(page);
  await page.unrouteAll();
  await retry.click();
  await row(/revokeConnection/).waitFor();
});
