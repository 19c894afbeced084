// Webhook endpoints: adding one by keyboard, test events, replays, a disabled endpoint, and a new secret.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { verifyWebhook } from '../../client/index.ts';
import { expectNoAxeViolations } from '../support/browser.ts';
import { link } from '../support/testService.ts';
import { openReceiver, type Receiver } from '../webhooks/receiver.ts';
import {
  alertDialog,
  button,
  copySecret,
  heading,
  modal,
  navigateTo,
  selectOption,
  tabTo,
  useOwnerDashboard,
  waitForInputFocus,
} from './fixture.ts';

let receiver: Awaited<ReturnType<typeof openReceiver>>;
let secret: string;
beforeAll(async () => {
  receiver = await openReceiver();
});
afterAll(() => receiver.close());
const owner = useOwnerDashboard(async () => ({ ALLOWED_NETWORKS: '127.0.0.0/8' }));

/** Retries only after two hours, so that the state does not change during the test. */
const answerWith =
  (status: number): Receiver['answer'] =>
  (response) =>
    response.writeHead(status, { 'Retry-After': '7200' }).end();

const host = () => new URL(receiver.url).host;
const delivery = (name: RegExp) =>
  owner.page.getByRole('table', { name: 'Deliveries' }).getByRole('row', { name });
const openEndpoint = async (): Promise<void> => {
  await navigateTo(owner.page, 'Webhooks');
  await owner.page.getByRole('link', { name: receiver.url }).click();
  await heading(owner.page, new RegExp(host())).waitFor();
};

test('an endpoint is added by keyboard, and its secret is shown once', async () => {
  const { page } = owner;
  const { keyboard } = page;
  await owner.open('webhooks');
  await page.getByText('No endpoints yet').waitFor();
  await expectNoAxeViolations(page);
  await tabTo(page, /^Add endpoint$/);
  await keyboard.press('Enter');
  await modal(page, 'Add endpoint').waitFor();
  await waitForInputFocus(page);
  await expectNoAxeViolations(page);
  await keyboard.type('shop.example');
  await keyboard.press('Enter');
  await page.getByRole('alert').getByText('must look like https://example.com/webhooks').waitFor();
  await modal(page, 'Add endpoint').getByLabel('URL').fill(receiver.url);
  await keyboard.press('Enter');
  await modal(page, 'Your signing secret').waitFor();
  await expectNoAxeViolations(page);
  secret = await copySecret(page, 'Your signing secret');
  expect(secret).toMatch(/^whsec_/);
  await page.reload();
  await page
    .getByRole('row', { name: /Active/ })
    .getByText('No events')
    .waitFor();
  expect(await page.content()).not.toContain(secret);
});

test('a test event is delivered, and the page shows it without a reload', async () => {
  const { page } = owner;
  await openEndpoint();
  await page.getByText('No events yet').waitFor();
  await button(page, 'Send test event').click();
  await delivery(/webhook\.test.*Delivered.*204/).waitFor();
  await page.getByText('1 delivered').waitFor();
  const [{ headers, body, event }] = receiver.received as [(typeof receiver.received)[number]];
  expect(verifyWebhook(secret, headers, body)).toEqual(event);
});

test('an event that was refused is shown with the response, and is replayed', async () => {
  const { page } = owner;
  receiver.answer = answerWith(500);
  const { connectionId } = await link(owner, { externalUserId: 'user-1207' });
  await expect.poll(() => receiver.received.length).toBe(2);
  await page.reload();
  await delivery(/connection\.created.*Pending.*in 2 hours.*500/).waitFor();
  await heading(page, /Failing/).waitFor();
  await page.getByText('Deliveries to this endpoint are failing.').waitFor();
  receiver.answer = answerWith(200);
  await button(delivery(/connection\.created/), `Replay ${receiver.received.at(-1)!.id}`).click();
  await delivery(/connection\.created.*Delivered.*200/).waitFor();
  await heading(page, /Active/).waitFor();
  await page.getByRole('link', { name: connectionId.slice(-6) }).click();
  await heading(page, /user-1207/).waitFor();
});

test('a disabled one is on the overview, is enabled, and its failed events are replayed', async () => {
  const { page } = owner;
  await openEndpoint();
  receiver.answer = answerWith(410);
  await button(page, 'Send test event').click();
  await heading(page, /Disabled/).waitFor();
  await page.getByText('It returned 410 Gone').waitFor();
  await expect.poll(() => page.getByRole('button', { name: /^(Send|Replay)/ }).count()).toBe(0);
  await expectNoAxeViolations(page);
  await navigateTo(page, 'Overview');
  await page.getByText('1 webhook endpoint is not working').waitFor();
  await page.getByRole('link', { name: 'Show endpoints' }).click();
  await page.getByRole('link', { name: receiver.url }).click();
  await button(page, 'Enable').click();
  await heading(page, /Active/).waitFor();
  await selectOption(page, 'State', 'Failed');
  await delivery(/Failed.*410/).waitFor();
  await expect.poll(() => delivery(/evt_/).count()).toBe(1);
  receiver.answer = answerWith(204);
  await button(page, 'Replay all failed').click();
  await page.getByText('No events are in this state.').waitFor();
  await button(page, 'Show all').click();
  await expect.poll(() => delivery(/Delivered/).count()).toBe(3);
});

test('the secret is rotated after a confirmation, and the page shows the expiry of the previous one', async () => {
  const { page } = owner;
  await button(page, 'Rotate secret').click();
  const question = alertDialog(page, 'Rotate the signing secret?');
  await question.waitFor();
  await expectNoAxeViolations(page);
  await button(question, 'Rotate secret').click();
  const rotated = modal(page, 'Your new signing secret');
  await rotated.getByText(/Until .*, events are also signed with the previous secret/).waitFor();
  expect(await copySecret(page, 'Your new signing secret')).not.toBe(secret);
});

test('an endpoint is deleted after a confirmation', async () => {
  const { page } = owner;
  await button(page, 'Delete').click();
  await button(alertDialog(page, 'Delete this endpoint?'), 'Delete endpoint').click();
  await page.getByText('No endpoints yet').waitFor();
});

test('an attempt without a response shows the reason', async () => {
  const { page } = owner;
  await button(page, 'Add endpoint').first().click();
  // The receiver speaks plain http.
  await modal(page, 'Add endpoint').getByLabel('URL').fill(receiver.url.replace('http:', 'https:'));
  await page.keyboard.press('Enter');
  await copySecret(page, 'Your signing secret');
  await page.getByRole('link', { name: host() }).click();
  await button(page, 'Send test event').click();
  await delivery(/webhook\.test.*Pending.*Endpoint did not respond with TLS/).waitFor();
});
