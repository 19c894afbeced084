// Every user of the sandbox bank, linked in a real browser from a host page on another site. Several at once, as
// in life; the slow one takes as long as all others together.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoAxeViolations } from '../browser.ts';
import { type Host, type Stage, startStage, visit } from './hostPage.ts';
import { answer, chooseBank, press, shareAll, signIn } from './steps.ts';

type Act = (host: Host) => Promise<void>;

const all: Act = ({ widget }) => shareAll(widget);
const code: Act = ({ widget }) => answer(widget, 'Code sent', '123456');

/** How each user gets from the sign-in form to the import. */
const linking: Record<string, Act[]> = {
  good: [all],
  otp: [code, all],
  question: [({ widget }) => answer(widget, 'What is your favorite color?', 'blue'), all],
  choose: [
    async ({ widget }) => {
      await widget.getByRole('radio', { name: 'Phone call' }).check();
      await press(widget, 'Continue');
    },
    code,
    all,
  ],
  push: [all],
  captcha: [({ widget }) => answer(widget, 'Type the characters', '7G4K'), all],
  slow: [({ widget }) => press(widget, 'Continue')],
  expires: [({ widget }) => press(widget, 'Continue')],
  moves: [({ widget }) => press(widget, 'Continue')],
  rotates: [all],
  twins: [({ widget }) => press(widget, 'Continue')],
  large: [({ widget }) => press(widget, 'Continue')],
  usd: [all],
  jpy: [all],
  bhd: [all],
};

const refused: Record<string, { title: string; offered: string }> = {
  'push-denied': { title: 'The request was declined', offered: 'Try again' },
  locked: { title: 'Your bank login is locked', offered: 'Choose another bank' },
  down: { title: 'Your bank cannot be reached', offered: 'Try again' },
  empty: { title: 'No accounts to share', offered: 'Choose another bank' },
};

let stage: Stage;
beforeAll(async () => {
  stage = await startStage();
});
afterAll(() => stage.close());

describe.concurrent('links', () => {
  test.for(Object.entries(linking))('%s', { timeout: 120_000 }, async ([username, acts]) => {
    const host = await visit(stage);
    await host.open();
    await chooseBank(host.widget);
    await signIn(host.widget, username);
    for (const act of acts) await act(host);
    await host.widget.getByRole('button', { name: 'Done' }).waitFor({ timeout: 90_000 });
    await host.expectEvents('onInit', 'onSuccess');
    const result = await host.result();
    expect(result).toMatchObject({
      connectionId: expect.stringMatching(/^con_[0-9A-Za-z]{22}$/),
      institution: { id: 'sandbox-bank', name: 'Sandbox Bank' },
      scopedToken: expect.stringMatching(/^sct_[A-Za-z0-9_-]{72}$/),
    });
    expect(result).not.toHaveProperty('user');
    const { data } = await stage.service
      .client(result.scopedToken)
      .GET('/connections/{connectionId}/accounts', {
        params: { path: { connectionId: result.connectionId } },
      });
    const read = data?.accounts.map(({ id, name, type, lastFour, currency }) => ({
      id,
      name,
      type,
      lastFour,
      currency,
    }));
    expect(result.accounts).toEqual(read);
    await press(host.widget, 'Done');
    await host.expectEvents('onInit', 'onSuccess');
    expect(host.complaints).toEqual([]);
    await host.close();
  });
});

describe.concurrent('says what happened and offers what can be done', () => {
  test.for(Object.entries(refused))('%s', async ([username, { title, offered }]) => {
    const host = await visit(stage);
    await host.open();
    await chooseBank(host.widget);
    await signIn(host.widget, username);
    await host.widget.getByRole('heading', { name: title }).waitFor();
    expect(await host.widget.getByRole('alert').textContent()).toContain('Sandbox Bank');
    await expectNoAxeViolations(await host.frame());
    await press(host.widget, offered);
    const next =
      offered === 'Try again' ? host.widget.getByLabel('Username') : host.widget.getByRole('searchbox');
    await next.waitFor();
    await press(host.widget, 'Close');
    await host.expectEvents('onInit', 'onExit');
    expect(host.complaints).toEqual([]);
    await host.close();
  });
});
