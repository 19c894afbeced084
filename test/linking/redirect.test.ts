// A sign-in on the bank's own page: the return is valid once, only the session's secret opens it, and it needs the code of the page
// to which the user returned.
import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { seconds } from '../../src/platform/values/clock.ts';
import { install } from '../crash/installation.ts';
import { allowNative } from '../support/allowNative.ts';
import { decideAtBank, returnFromBank, sendReturn } from '../support/bankPage.ts';
import { oneDatabase } from '../support/databases.ts';
import { openAtBank, signInAtBank } from '../support/openAtBank.ts';
import { scriptedAccount } from '../support/scriptedConnector.ts';
import { openLinkSession, type TestLinkSession } from '../support/testService.ts';
import {
  credentialsOf,
  describeLinkingOnce,
  finishSession,
  type LinkFixture,
  openForm,
  sessionRowOf,
  tryStep,
} from './fixture.ts';

const returned = (code: string) => ({ kind: 'returned' as const, code });

describeLinkingOnce('a redirect', (fixture: LinkFixture) => {
  const open = () => openAtBank(fixture.service);
  const rowOf = (session: TestLinkSession) => sessionRowOf(fixture, session);

  test('leads to the accounts with the code of the page, which names application and bank', async () => {
    const { session, bankPage } = await open();
    const back = await decideAtBank(fixture.service, bankPage);
    const { body } = await sendReturn(fixture.service, back);
    expect(body).toEqual({
      code: expect.stringMatching(/^[0-9A-Z]{4}-[0-9A-Z]{4}$/),
      application: { name: 'Shop' },
      institution: { name: 'Sandbox Bank' },
    });
    // Users may type the code in this form.
    const typed = ` ${body.code!.toLowerCase().replace('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l')}`;
    expect(await session.step(returned(typed))).toMatchObject({ state: 'accounts' });
    expect(await rowOf(session)).toMatchObject({ returnHash: null, returnSealed: null });
  });

  test('stores nothing readable of the return', async () => {
    const { session, bankPage } = await open();
    const back = await decideAtBank(fixture.service, bankPage);
    await sendReturn(fixture.service, back);
    const stored = JSON.stringify(await rowOf(session), (_, value) =>
      value?.type === 'Buffer' ? Buffer.from(value.data).toString('latin1') : value,
    );
    expect(stored).not.toContain(back.searchParams.get('code')!);
    expect(stored).not.toContain(back.searchParams.get('state')!.split('.')[1]!);
  });

  test('connects nothing for somebody who sent the link to another person', async () => {
    // The attacker has the session and its secret; the victim is in another browser.
    const { session, bankPage } = await open();
    await returnFromBank(fixture.service, bankPage);
    for (const code of ['', '0000-0000', bankPage.searchParams.get('state')!.slice(0, 20)]) {
      expect(await session.step(returned(code))).toMatchObject({
        ...{ state: 'challenge', error: { reason: 'wrong_answer' } },
      });
    }
    const answer = { kind: 'answer' as const, answer: 'code=1' };
    expect((await tryStep(fixture, session, answer)).status).toBe(400);
    await session.step(returned('1111-1111'));
    expect(await session.step(returned('2222-2222'))).toMatchObject({
      ...{ state: 'failed', reason: 'wrong_answer', retryTargets: [] },
    });
  });

  test('accepts a return once, and repeats the response to a request that was lost', async () => {
    const { session, bankPage } = await open();
    const back = await decideAtBank(fixture.service, bankPage);
    const attempt = randomUUID();
    const first = await sendReturn(fixture.service, back, { attempt });
    expect(await sendReturn(fixture.service, back, { attempt })).toEqual(first);
    // The attacker cannot request the code with the known state.
    expect((await sendReturn(fixture.service, back)).status).toBe(410);
    expect(await session.step(returned(first.body.code!))).toMatchObject({ state: 'accounts' });
    expect((await sendReturn(fixture.service, back, { attempt })).status).toBe(410);
  });

  test('refuses a return of another session, of a page on another origin, or after the session has expired', async () => {
    const { session, bankPage } = await open();
    const other = await open();
    const back = await decideAtBank(fixture.service, bankPage);
    const [, random] = back.searchParams.get('state')!.split('.');
    for (const state of [
      `${other.session.id}.${random}`,
      `${session.id}.x`,
      session.id,
      '',
      'x'.repeat(200),
    ]) {
      const changed = new URL(back);
      changed.searchParams.set('state', state);
      expect((await sendReturn(fixture.service, changed)).status).toBe(410);
    }
    const headers = { Origin: 'https://evil.example' };
    expect((await sendReturn(fixture.service, back, { headers })).status).toBe(403);
    fixture.service.advance(seconds(1800));
    expect((await sendReturn(fixture.service, back)).status).toBe(410);
  });

  test('is new after going back, and the previous one is no longer accepted', async () => {
    const { session, bankPage } = await open();
    const before = await decideAtBank(fixture.service, bankPage);
    await session.step({ kind: 'back' });
    const again = await signInAtBank(session);
    expect((await sendReturn(fixture.service, before)).status).toBe(410);
    const code = await returnFromBank(fixture.service, again);
    expect(await session.step(returned(code))).toMatchObject({ state: 'accounts' });
    expect((await finishSession(fixture, session)).state).toBe('finished');
  });

  test.each([
    ['refuse', 'denied'],
    ['timeOut', 'institution_timeout'],
  ] as const)('fails with its reason when the user chooses %s at the bank', async (decision, reason) => {
    const { session, bankPage } = await open();
    const code = await returnFromBank(fixture.service, bankPage, decision);
    expect(await session.step(returned(code))).toMatchObject({ state: 'failed', reason });
    // The sign-in can be restarted.
    await session.step({ kind: 'retry' });
    const next = await returnFromBank(fixture.service, await signInAtBank(session));
    expect(await session.step(returned(next))).toMatchObject({ state: 'accounts' });
  });

  test('with a forged query is refused by the connector, and leads to the bank again', async () => {
    const { session, bankPage } = await open();
    const back = await decideAtBank(fixture.service, bankPage);
    back.searchParams.set('code', 'forged');
    const { body } = await sendReturn(fixture.service, back);
    const view = await session.step(returned(body.code!));
    expect(view).toMatchObject({ state: 'challenge', challenge: { kind: 'redirect' } });
    if (view.state !== 'challenge' || view.challenge.kind !== 'redirect') throw new Error('Not redirected.');
    expect(view.challenge.url).not.toBe(bankPage.href);
    const code = await returnFromBank(fixture.service, new URL(view.challenge.url));
    expect(await session.step(returned(code))).toMatchObject({ state: 'accounts' });
  });

  test.each([
    'http://bank.example/',
    'javascript:alert(1)',
    'bank',
    `https://bank.example/${'x'.repeat(8200)}`,
  ])('to an address that no user should be sent to is not shown: %.30s', async (url) => {
    fixture.connector.setAccounts('sent', [scriptedAccount({ id: 'sent', number: 'sent' })]);
    fixture.connector.challenge('sent', { kind: 'redirect', label: 'Sign in', url }, 'code=1');
    const session = await openForm(fixture);
    expect(await session.step(credentialsOf('sent'))).toMatchObject({
      state: 'failed',
      reason: 'institution_incomplete',
    });
  });

  test('in a native application ends at its address, while that is registered', async () => {
    const { id: applicationId } = await fixture.service.addApplication();
    const returnAddress = 'shop://bank-return';
    const addressOfReturn = async (change?: (session: TestLinkSession) => PromiseLike<unknown>) => {
      await allowNative(fixture.service, applicationId, [returnAddress]);
      const { session, bankPage } = await openAtBank(fixture.service, { applicationId, returnAddress });
      await change?.(session);
      const { body } = await sendReturn(fixture.service, await decideAtBank(fixture.service, bankPage));
      expect(await session.step(returned(body.code!))).toMatchObject({ state: 'accounts' });
      return body.returnAddress;
    };
    expect(await addressOfReturn()).toBe(returnAddress);
    expect(await addressOfReturn(() => allowNative(fixture.service, applicationId))).toBeUndefined();
    // Anyone with write access to the database could do this.
    const changeRow = (address: string) => (session: TestLinkSession) =>
      fixture.db.write('link_sessions').where({ id: session.id }).update({ returnAddress: address });
    expect(await addressOfReturn(changeRow('https://evil.example'))).toBeUndefined();
    const script = 'javascript://%0aalert(1)';
    const returnAddresses = JSON.stringify([script]);
    const changeBoth = async (session: TestLinkSession) => {
      await changeRow(script)(session);
      await fixture.db.write('applications').where({ id: applicationId }).update({ returnAddresses });
    };
    expect(await addressOfReturn(changeBoth)).toBeUndefined();
  });
});

for (const database of oneDatabase) {
  describe(`a redirect on ${database.name}`, () => {
    test('continues after kills before and after the return', { timeout: 60_000 }, async () => {
      const installation = await install(database);
      try {
        await installation.start();
        const service = () => ({ url: installation.url, application: { id: installation.applicationId } });
        const { session, bankPage } = await openAtBank(service());
        const restart = async () => {
          await installation.kill();
          await installation.start();
          return openLinkSession(service() as never, { session });
        };
        await restart();
        const code = await returnFromBank(service(), bankPage);
        const continued = await restart();
        expect(await continued.step(returned(code))).toMatchObject({ state: 'accounts' });
      } finally {
        await installation.close();
      }
    });
  });
}
