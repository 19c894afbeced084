// A service whose setting CONNECTORS names Enable Banking: end users choose a bank of the directory, consent on its page, and what
// happens there shows in the API.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { institutionId } from '../../../connectors/enable-banking/bank.ts';
import {
  fakeAccount,
  fakeTransaction,
} from '../../../connectors/enable-banking/test/fakeProvider/account.ts';
import { fakeBank } from '../../../connectors/enable-banking/test/fakeProvider/bank.ts';
import {
  type FakeProvider,
  startFakeProvider,
} from '../../../connectors/enable-banking/test/fakeProvider/provider.ts';
import { iban } from '../../../connectors/enable-banking/test/fixture.ts';
import { days } from '../../../src/platform/values/clock.ts';
import { requestWidgetApi } from '../../linking/fixture.ts';
import { allowNative } from '../../support/allowNative.ts';
import { sendReturn } from '../../support/bankPage.ts';
import { oneDatabase } from '../../support/databases.ts';
import {
  type LinkOptions,
  openLinkSession,
  startService,
  type TestLinkSession,
} from '../../support/testService.ts';

const [database] = oneDatabase;
const wait = { timeout: 10_000, interval: 20 };

const writeKey = ({ privateKey }: FakeProvider): string => {
  const directory = mkdtempSync(join(tmpdir(), 'enable-banking-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const file = join(directory, 'key.pem');
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return file;
};

const dayAgo = (count: number): string => new Date(Date.now() - days(count)).toISOString().slice(0, 10);

/** A service with one bank, of whose accounts Ada has two in different currencies under one IBAN. */
const startLinking = async () => {
  const time = { advanced: 0 };
  const logs: string[] = [];
  const other = { identification: 'A1', scheme_name: 'BBAN' };
  const shown = { account_id: { iban, other }, cash_account_type: 'CACC' as const };
  const rows = [400, 3, 1].map((count) => fakeTransaction(`row ${count}`, dayAgo(count)));
  const accounts = ['EUR', 'USD'].map((currency) =>
    fakeAccount(iban, currency === 'EUR' ? rows : [], { shown: { ...shown, currency } }),
  );
  const provider = await startFakeProvider({
    banks: [fakeBank('First Bank', { ada: accounts })],
    now: () => new Date(Date.now() + time.advanced),
  });
  onTestFinished(provider.close);
  const service = await startService({
    ...{ database, logTo: (line: string) => void logs.push(line) },
    env: {
      ...{ CONNECTORS: 'enable-banking', ENABLE_BANKING_URL: provider.url },
      ENABLE_BANKING_APPLICATION: provider.application.kid,
      ENABLE_BANKING_KEY_FILE: writeKey(provider),
    },
    limits: {
      directoryPollSeconds: 0.02,
      workerPollMs: 20,
      revocationPollMs: 20,
    },
  });
  onTestFinished(() => service.close());
  provider.application.redirect_urls.push(`${service.url}/connect/return`);
  const { id: applicationId, apiKey } = await service.addApplication({ environment: 'production' });
  const open = (options: LinkOptions = {}) => openLinkSession(service, { applicationId, ...options });
  const first = await open();
  await expect
    .poll(async () => (await requestWidgetApi(service, `/${first.id}/institutions`, first)).body, wait)
    .toMatchObject({ institutions: [{ name: 'First Bank' }] });
  /** Links the accounts, or connects them again, with the code that the page has after the bank's one. */
  const linkAtBank = async (options?: LinkOptions) => {
    const session = await open(options);
    const at = () => session.view;
    if (at().state === 'consent') await session.step({ kind: 'consent' });
    if (at().state === 'institution')
      await session.step({ kind: 'selectInstitution', institutionId: institutionId('First Bank', 'DE') });
    if (at().state === 'credentials') await session.step({ kind: 'credentials', values: {} });
    const { challenge } = at() as TestLinkSession['view'] & { state: 'challenge' };
    expect(challenge).toMatchObject({ kind: 'redirect', labelKey: 'open_bank_page' });
    const page = (challenge as typeof challenge & { kind: 'redirect' }).url;
    const { body } = await sendReturn(service, await provider.decide(page, { user: 'ada' }));
    await session.step({ kind: 'returned', code: body.code! });
    const chosen = at();
    if (chosen.state === 'accounts')
      await session.step({ kind: 'selectAccounts', accountIds: chosen.accounts.map(({ id }) => id) });
    const ended = at().state === 'importing' ? await session.waitForImport() : at();
    if (ended.state !== 'finished') throw new Error(`Linking ended as ${JSON.stringify(ended)}.`);
    expect((await session.acknowledge()).status).toBe(204);
    return { ...ended.result, returnAddress: body.returnAddress };
  };
  const advance = (milliseconds: number): void => {
    time.advanced += milliseconds;
    service.advance(milliseconds);
  };
  return { service, provider, accounts, applicationId, apiKey, linkAtBank, advance, logs };
};

const operationsOf = ({ provider }: { provider: FakeProvider }) =>
  provider.requestsOf('ada').map(({ operationId, status }) => `${operationId} ${status}`);

test('accounts are linked, connected again after a new consent, and given back at the end', async () => {
  const linking = await startLinking();
  const { service, accounts, apiKey, linkAtBank } = linking;
  const linked = await linkAtBank();
  const { connectionId, scopedToken } = linked;
  const client = service.client(scopedToken, apiKey);
  const ofConnection = { params: { path: { connectionId } } };
  const read = async () => {
    const { data } = await client.GET('/connections/{connectionId}/accounts', ofConnection);
    const [account] = data!.accounts;
    const params = { path: { accountId: account!.id } };
    const list = await client.GET('/accounts/{accountId}/transactions', { params });
    return {
      accounts: data!.accounts.map(({ id, currency, balance }) => ({
        id,
        currency,
        balance: balance?.current,
      })),
      transactions: list.data!.transactions.map(({ id, description }) => ({ id, description })),
    };
  };
  const before = await read();
  expect(before.accounts).toMatchObject([{ currency: 'EUR', balance: 100 }, { currency: 'USD' }]);
  expect(before.transactions.map(({ description }) => description)).toEqual([
    ...['Corner Pantry row 1', 'Corner Pantry row 3', 'Corner Pantry row 400'],
  ]);
  for (const account of accounts) account.hasOtherPrimaryHash = true;
  await linkAtBank({ connectionId });
  expect(await read()).toEqual(before);
  // The consent of before is given back.
  await expect.poll(() => operationsOf(linking), wait).toContain('deleteSession 200');
  await service.client(undefined, apiKey).DELETE('/connections/{connectionId}', ofConnection);
  const closed = () => operationsOf(linking).filter((operation) => operation === 'deleteSession 200');
  await expect.poll(closed, wait).toHaveLength(2);
});

test('a native application gets its end user back, and a session that ends at the bank needs a reconnect', async () => {
  const linking = await startLinking();
  const { service, provider, applicationId, apiKey, linkAtBank, advance, logs } = linking;
  const returnAddress = 'shop://bank-return';
  await allowNative(service, applicationId, [returnAddress]);
  const linked = await linkAtBank({ returnAddress });
  expect(linked.returnAddress).toBe(returnAddress);
  provider.endSessions('ada', 'REVOKED_SESSION');
  advance(days(1));
  const params = { path: { connectionId: linked.connectionId } };
  const statusOf = async () => {
    const { data } = await service.client(undefined, apiKey).GET('/connections/{connectionId}', { params });
    return data!.connection;
  };
  await expect.poll(statusOf, wait).toMatchObject({ status: 'needs_reconnect' });
  const { connectionId } = linked;
  const events = await service.service.db.read('connection_events').where({ connectionId });
  expect(events.map(({ reason }) => reason)).toContain('consent_expired');
  expect(logs.length).toBeGreaterThan(0);
  expect(logs.join('\n')).not.toMatch(/DE00123456780000000001|Ada Example|Corner Pantry|Bearer |psu-/i);
});
