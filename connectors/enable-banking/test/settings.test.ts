// Tests of the connector's settings, and of the problems that its check finds in the operator's application.
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { type Host, makeGuardedSender } from '@bank-connection/connector-kit';
import { describe, expect, test } from 'vitest';
import definition from '../index.ts';
import { fakeBank } from './fakeProvider/bank.ts';
import type { FakeProvider } from './fakeProvider/provider.ts';
import { makeModule, returnUrl, startService } from './fixture.ts';

const pemOf = (key: KeyObject, type: 'pkcs1' | 'pkcs8' = 'pkcs8'): string =>
  key.export({ type, format: 'pem' }).toString();

const makeWith = async (settings: Record<string, string>) =>
  definition.make({
    ...{
      setting: (name: string) => settings[name],
      isAllowed: () => true,
      answerBytesMax: 1e6,
      timeoutMs: 10_000,
    },
    ...{ send: makeGuardedSender(() => true), sendAnywhere: makeGuardedSender(() => true) },
  } satisfies Host);

const settingsOf = ({ url, application, privateKey }: FakeProvider) => ({
  ...{ ENABLE_BANKING_URL: url, ENABLE_BANKING_APPLICATION: application.kid },
  ENABLE_BANKING_KEY: pemOf(privateKey),
});

describe('the settings', () => {
  test.each(['pkcs1', 'pkcs8'] as const)('have a key in %s', async (type) => {
    const { provider, call } = await startService([fakeBank('First Bank', {})]);
    const ENABLE_BANKING_KEY = pemOf(provider.privateKey, type);
    const { directory } = await makeWith({ ...settingsOf(provider), ENABLE_BANKING_KEY });
    expect(await directory!(call())).toHaveLength(1);
  });

  test.each<[about: string, settings: Record<string, string>, message: RegExp]>([
    ['without an application', { ENABLE_BANKING_APPLICATION: '' }, /ENABLE_BANKING_APPLICATION is missing/],
    ['without a key', { ENABLE_BANKING_KEY: '' }, /ENABLE_BANKING_KEY is missing/],
    ['with a key that is none', { ENABLE_BANKING_KEY: 'secret' }, /^ENABLE_BANKING_KEY must be (?!.*secret)/],
    [
      'with a key of another kind',
      { ENABLE_BANKING_KEY: pemOf(generateKeyPairSync('ed25519').privateKey) },
      /must be a private RSA key/,
    ],
    [
      'with an address of plain http',
      { ENABLE_BANKING_URL: 'http://proxy.example' },
      /must be an https address/,
    ],
  ])('%s end the start', async (_, settings, message) => {
    const { provider } = await startService([]);
    await expect(makeWith({ ...settingsOf(provider), ...settings })).rejects.toThrow(message);
  });

  test('have the address of Enable Banking itself where none is set', async () => {
    const { provider } = await startService([]);
    await expect(makeWith({ ...settingsOf(provider), ENABLE_BANKING_URL: '' })).resolves.toBeDefined();
  });
});

describe('the check', () => {
  const startChecked = async (change: Partial<FakeProvider['application']> = {}) => {
    const service = await startService([], { redirectUrls: [returnUrl] });
    Object.assign(service.provider.application, change);
    return { ...service, check: () => service.module.check!(service.call()) };
  };

  test('finds nothing of an application that is ready', async () => {
    const { check } = await startChecked();
    expect(await check()).toEqual([]);
  });

  test.each<[change: Partial<FakeProvider['application']>, problem: RegExp]>([
    [{ environment: 'SANDBOX' }, /is a sandbox application.*Production/],
    [{ active: false }, /is not active. Link your own accounts,.* or sign a contract/],
    [{ services: ['PIS'] }, /may not read accounts/],
    [
      { redirect_urls: [] },
      /no redirect URL of this service \(none\). Register BASE_URL followed by \/connect\/return/,
    ],
    [{ redirect_urls: ['https://other.example/'] }, /\(https:\/\/other\.example\/\)/],
    [{ countries: [] }, /has no countries/],
  ])('says of an application with %j what to do', async (change, problem) => {
    const { check } = await startChecked(change);
    expect(await check()).toEqual([expect.stringMatching(problem)]);
  });

  test('says that the key is not that of the application, or that the server may not ask', async () => {
    const { provider, call, check } = await startChecked();
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const stranger = makeModule({ ...provider, privateKey });
    expect(await stranger.check!(call())).toEqual([
      expect.stringMatching(/does not know the application .* with this key/),
    ]);
    provider.intercept = () => ({ status: 403, body: { message: 'M', error: 'UNAUTHORIZED_IP' } });
    expect(await check()).toEqual([expect.stringMatching(/refuses the IP address of this server/)]);
  });

  test('fails while the provider does not answer', async () => {
    const { provider, check } = await startChecked();
    provider.intercept = () => ({ status: 503 });
    await expect(check()).rejects.toMatchObject({ reason: 'down' });
  });
});
