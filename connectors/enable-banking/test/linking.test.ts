// Tests of linking through Enable Banking: the end user's choices, the bank's page, and the returned query.
import { describe, expect, test } from 'vitest';
import { fakeAccount } from './fakeProvider/account.ts';
import { type FakeBank, fakeBank } from './fakeProvider/bank.ts';
import type { Schemas } from './fakeProvider/contract.ts';
import {
  answer,
  challengeOf,
  days,
  historyOf,
  iban,
  link,
  minutes,
  noon,
  pageOf,
  read,
  refresh,
  returnFrom,
  returnUrl,
  startLinked,
  startService,
  startSignIn,
  user,
} from './fixture.ts';

const startBank = (more: Partial<FakeBank> = {}, accounts = [fakeAccount(iban)]) =>
  startService([fakeBank('First Bank', { ada: accounts }, more)]);

/** The body of the request to `/auth`. */
const authorizationOf = ({ provider }: Awaited<ReturnType<typeof startBank>>) => {
  const found = provider
    .requestsOf(undefined)
    .findLast(({ operationId }) => operationId === 'startAuthorization');
  return found!.body as Schemas['AuthorizationRequest'];
};

const method = (name: string, psu_type: Schemas['PsuType'], more: Partial<Schemas['AuthMethod']> = {}) => ({
  ...{ name, title: `By ${name}`, psu_type, approach: 'REDIRECT' as const, hidden_method: false },
  ...more,
});

describe('before the page of the bank', () => {
  test('the end user says whose accounts they link, and by which method, where the bank has several', async () => {
    const auth_methods = [
      ...[method('app', 'business'), method('card', 'business'), method('web', 'personal')],
      method('secret', 'business', { hidden_method: true }),
    ];
    const psu_types: Schemas['PsuType'][] = ['personal', 'business'];
    const service = await startBank({
      aspsp: { name: 'First Bank', country: 'DE', psu_types, auth_methods },
    });
    const uses = await startSignIn(service);
    expect(challengeOf(uses).challenge).toMatchObject({
      ...{ kind: 'choice', labelKey: 'choose_account_use' },
      options: [
        { id: 'personal', labelKey: 'use_personal' },
        { id: 'business', labelKey: 'use_business' },
      ],
    });
    const methods = await answer(service, uses, 'business');
    expect(challengeOf(methods).challenge).toMatchObject({
      ...{ kind: 'choice', labelKey: 'choose_method' },
      options: [
        { id: 'app', label: 'By app' },
        { id: 'card', label: 'By card' },
      ],
    });
    expect(challengeOf(await answer(service, methods, 'card')).challenge).toMatchObject({
      ...{ kind: 'redirect', labelKey: 'open_bank_page' },
    });
    expect(authorizationOf(service)).toMatchObject({ psu_type: 'business', auth_method: 'card' });
    pageOf(await answer(service, uses, 'personal'));
    expect(authorizationOf(service)).not.toHaveProperty('auth_method');
    for (const [step, wrong] of [
      [uses, 'nobody'],
      [methods, 'web'],
      [methods, 'secret'],
    ] as const)
      await expect(answer(service, step, wrong)).rejects.toMatchObject({ reason: 'wrong_answer' });
  });

  test('the provider gets the language and the reference of the end user, and nothing else of them', async () => {
    const service = await startBank();
    await startSignIn(service);
    const { state, access, ...request } = authorizationOf(service);
    expect(request).toEqual({
      ...{ aspsp: { name: 'First Bank', country: 'DE' }, redirect_url: returnUrl, psu_type: 'personal' },
      ...{ language: 'de', psu_id: user.reference },
    });
    expect(state).toHaveLength(36);
  });

  test('an unlisted bank cannot be linked, and is down', async () => {
    const { module, call } = await startBank();
    const request = { institution: { id: 'unlisted' }, credentials: {}, attended: true };
    await expect(module.connector.signIn(request, call(user))).rejects.toMatchObject({ reason: 'down' });
  });
});

describe('the page of the bank', () => {
  test('is opened by https, although the provider names it by http', async () => {
    const service = await startBank({ namesPlainHttpPage: true });
    const step = await startSignIn(service);
    expect(pageOf(step)).toMatch(/^https:/);
    expect(await returnFrom(service, step, { user: 'ada' })).toMatchObject({ kind: 'signedIn' });
  });

  test('may be refused by the end user, or fail', async () => {
    const service = await startBank();
    const refused = returnFrom(service, await startSignIn(service), 'refuse');
    await expect(refused).rejects.toMatchObject({ reason: 'denied' });
    const failing = await startBank({ failsAtSignIn: true });
    const failed = returnFrom(failing, await startSignIn(failing), { user: 'ada' });
    await expect(failed).rejects.toMatchObject({ reason: 'down' });
  });

  test('counts only with the state of this sign-in', async () => {
    const service = await startBank({ returnsState: 'of another sign-in' });
    const returned = returnFrom(service, await startSignIn(service), { user: 'ada' });
    await expect(returned).rejects.toMatchObject({ reason: 'wrong_answer' });
    const operations = service.provider.requestsOf('ada').map(({ operationId }) => operationId);
    expect(operations).not.toContain('authorizeSession');
  });

  test('gives a code that is valid once', async () => {
    const service = await startBank();
    const step = await startSignIn(service);
    const { search } = await service.provider.decide(pageOf(step), { user: 'ada' });
    await answer(service, step, search.slice(1));
    await expect(answer(service, step, search.slice(1))).rejects.toMatchObject({ reason: 'wrong_answer' });
  });
});

describe('a consent', () => {
  test.each([
    ['90 days', 90],
    ['180 days', 180],
  ])('is asked for a minute less than the %s that the bank allows', async (_, count) => {
    const aspsp = { name: 'First Bank', country: 'DE', maximum_consent_validity: count * 86_400 };
    const { expiresAt } = await link(await startBank({ aspsp }));
    expect(expiresAt).toBe(new Date(noon.getTime() + count * days - minutes).toISOString());
  });

  test('ends when the bank says, and then the provider is not asked any more', async () => {
    const service = await startLinked([fakeAccount(iban)], { consentDaysMax: 7 });
    expect(service.signedIn.expiresAt).toBe(new Date(noon.getTime() + 7 * days).toISOString());
    service.clock.now += 7 * days;
    const before = service.provider.requestsOf('ada').length;
    await expect(refresh(service)).rejects.toMatchObject({ reason: 'consent_expired' });
    await expect(read(service)).rejects.toMatchObject({ reason: 'consent_expired' });
    expect(service.provider.requestsOf('ada')).toHaveLength(before);
  });

  test('is given back at the provider, also twice, and then nothing can be read', async () => {
    const service = await startLinked([fakeAccount(iban)]);
    const { module, call, signedIn, provider } = service;
    await module.connector.revoke!({ deviceToken: signedIn.deviceToken }, call());
    await module.connector.revoke!({ access: signedIn.access }, call());
    const statuses = provider.requestsOf('ada').filter(({ operationId }) => operationId === 'deleteSession');
    expect(statuses.map(({ status }) => status)).toEqual([200, 401]);
    await expect(historyOf(await refresh(service))).rejects.toMatchObject({ reason: 'consent_expired' });
  });

  test('is not given back while the provider is down, so that the service tries again', async () => {
    const { module, call, signedIn, provider } = await startLinked([fakeAccount(iban)]);
    provider.intercept = () => ({ status: 503 });
    const { deviceToken } = signedIn;
    await expect(module.connector.revoke!({ deviceToken }, call())).rejects.toMatchObject({ reason: 'down' });
  });
});

describe('accounts', () => {
  test('have the same ids in the next session, although their addresses and their primary hashes are others', async () => {
    const other = { identification: 'A1', scheme_name: 'BBAN' };
    const account = fakeAccount(iban, [], {
      shown: { account_id: { iban, other }, cash_account_type: 'CACC', currency: 'EUR' },
    });
    const service = await startBank({}, [account]);
    const accountsOf = async () => {
      const { access } = await link(service);
      return { access, accounts: await service.module.connector.accounts(access, service.call()) };
    };
    const first = await accountsOf();
    account.hasOtherPrimaryHash = true;
    const second = await accountsOf();
    expect(second.accounts).toEqual(first.accounts);
    expect(second.access).not.toBe(first.access);
  });

  test('are read by their address in the session, never by their hash', async () => {
    const service = await startLinked([fakeAccount(iban)]);
    await historyOf(await read(service));
    const { parameters, status } = service.provider.requestsOf('ada').at(-1)!;
    expect(parameters.account_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(status).toBe(200);
  });

  test('in several currencies under one IBAN are several accounts', async () => {
    const inCurrency = (currency: string) =>
      fakeAccount(iban, [], { shown: { account_id: { iban }, cash_account_type: 'CACC', currency } });
    const { signedIn, module, call } = await startLinked(['EUR', 'USD'].map(inCurrency));
    const accounts = await module.connector.accounts(signedIn.access, call());
    expect(accounts.map(({ currency }) => currency)).toEqual(['EUR', 'USD']);
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(2);
  });

  test('with the IBAN of another account are told apart by what is their own', async () => {
    const other = { identification: '**** 1111', scheme_name: 'CPAN' };
    const card = fakeAccount(iban, [], {
      shown: { account_id: { iban, other }, cash_account_type: 'CARD', currency: 'EUR', product: 'Card' },
    });
    const { signedIn, module, call } = await startLinked([fakeAccount(iban), card]);
    const accounts = await module.connector.accounts(signedIn.access, call());
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(2);
    expect(accounts[1]).toMatchObject({ type: 'credit', subtype: 'credit_card', name: 'Card' });
  });

  test('that cannot be read, or have no currency, are not offered', async () => {
    const withoutCurrency = fakeAccount('DE00123456780000000002');
    // ISO 4217 code for "no currency".
    withoutCurrency.shown.currency = 'X'.repeat(3);
    const { signedIn, module, call } = await startLinked([
      fakeAccount(iban, [], { hasNoUid: true }),
      withoutCurrency,
    ]);
    expect(await module.connector.accounts(signedIn.access, call())).toEqual([]);
  });

  test('are not named like their holder', async () => {
    const { signedIn, module, call } = await startLinked([fakeAccount(iban)]);
    const [account] = await module.connector.accounts(signedIn.access, call());
    expect(account).toMatchObject({
      name: 'First Bank',
      number: iban,
      type: 'depository',
      subtype: 'checking',
    });
  });
});
