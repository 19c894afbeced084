// Failed sign-ins are counted by email and client address, so that only the guesser is refused.
import sodium from 'sodium-native';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createResetLinkAsOperator } from '../../../src/domain/members/passwords.ts';
import { seconds } from '../../../src/platform/values/clock.ts';
import { hashOpaqueToken } from '../../../src/platform/vault/keys.ts';
import { databases, oneDatabase } from '../../support/databases.ts';
import { startService, type TestService, type TestServiceOptions } from '../../support/testService.ts';
import { makeAuthenticator } from './authenticator.ts';
import { addPasskey, signInByPasskey, startSignIn } from './passkeyRequests.ts';
import {
  acceptInvitation,
  anonymousUser,
  createMember,
  inviteAsOperator,
  password,
  resetPassword,
} from './users.ts';

const email = 'ann@example.com';
const attacker = '203.0.113.9';
const elsewhere = '198.51.100.7';
const minute = seconds(60);

const start = async (options: TestServiceOptions): Promise<TestService> => {
  const service = await startService({ worker: false, env: { TRUSTED_PROXIES: 'loopback' }, ...options });
  onTestFinished(service.close);
  return service;
};

/** Attempts to sign in from an address: the status, and the seconds of Retry-After. */
const attempt = async (
  service: TestService,
  address: string,
  { to = email, text = 'not the password' } = {},
): Promise<{ status: number; retryAfter: number | undefined }> => {
  const { client } = anonymousUser(service.url, to, { address });
  const { response } = await client.POST('/management/sign-in', { body: { email: to, password: text } });
  const retryAfter = response.headers.get('Retry-After');
  return { status: response.status, retryAfter: retryAfter === null ? undefined : Number(retryAfter) };
};

const fail = async (service: TestService, address: string, times: number): Promise<number[]> => {
  const statuses: number[] = [];
  for (let at = 0; at < times; at++) statuses.push((await attempt(service, address)).status);
  return statuses;
};

const signInRight = async (service: TestService, address: string): Promise<number> =>
  (await attempt(service, address, { text: password })).status;

/** Gives all members a password hash with the lowest cost. */
const hashPasswordsCheaply = async ({ service: { db } }: TestService): Promise<void> => {
  const hash = Buffer.alloc(sodium.crypto_pwhash_STRBYTES);
  const { crypto_pwhash_OPSLIMIT_MIN: passes, crypto_pwhash_MEMLIMIT_MIN: memory } = sodium;
  sodium.crypto_pwhash_str(hash, Buffer.from(`${password}\0`), passes, memory);
  await db.write('members').update({ passwordHash: hash.toString('latin1').replace(/\0+$/, '') });
};

/** Holds back the check of every password until the returned function is called. */
const holdPasswords = async ({ service: { db } }: TestService): Promise<() => void> => {
  const [held, locked] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = db.transaction(async (trx) => {
    if (db.dialect === 'postgres') await trx.raw('lock table sign_in_attempts');
    locked.resolve();
    await held.promise;
  });
  onTestFinished(() => {
    held.resolve();
    return holding;
  });
  await locked.promise;
  return held.resolve;
};

/**
 * Sends a wrong password from each address concurrently, and waits until all but 50 are refused. The returned function waits for
 * the others and returns all statuses.
 */
const guessAtOnce = async (service: TestService, addresses: string[]): Promise<() => Promise<number[]>> => {
  const refusals: number[] = [];
  const statuses = addresses.map(async (address) => {
    const { status, retryAfter } = await attempt(service, address);
    if (status === 503) refusals.push(retryAfter!);
    return status;
  });
  await expect.poll(() => refusals).toEqual(Array(addresses.length - 50).fill(5));
  return () => Promise.all(statuses);
};

const count = (statuses: number[], status: number): number => statuses.filter((one) => one === status).length;

describe.each(oneDatabase)('failed sign-ins on $name', (database) => {
  test('an attacker locks out nobody else', async () => {
    const service = await start({ database });
    const owner = await createMember(service, { role: 'owner', email });
    const authenticator = makeAuthenticator(service.url);
    await addPasskey(owner, authenticator);
    const statuses = await fail(service, attacker, 200);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(401));
    expect(new Set(statuses.slice(10))).toEqual(new Set([429]));
    const stranger = anonymousUser(service.url, email, { address: attacker });
    for (let at = 0; at < 200; at++) expect(await startSignIn(stranger)).toBeDefined();
    const refused = await attempt(service, attacker, { text: password });
    expect(refused.status).toBe(429);
    expect(refused.retryAfter).toBeGreaterThan(0);
    expect(refused.retryAfter).toBeLessThanOrEqual(15 * 60);

    expect(await signInRight(service, elsewhere)).toBe(200);
    expect((await signInByPasskey(service, authenticator, { address: elsewhere })).status).toBe(200);
    const at = (address: string) => anonymousUser(service.url, 'new@example.com', { address });
    const invitation = await inviteAsOperator(service, { email: 'new@example.com', role: 'viewer' });
    const accepted = await acceptInvitation(at(elsewhere), invitation, { name: 'New', password });
    expect(accepted.response.status).toBe(200);
    const reset = async (address: string) =>
      resetPassword(at(address), (await createResetLinkAsOperator(service.service.members, email)).url);
    expect(await reset(elsewhere)).toBe(204);
    expect(await signInRight(service, elsewhere)).toBe(200);
    // Passkeys and links cannot be guessed, so they work even from the attacker's address.
    expect(await reset(attacker)).toBe(204);
  });

  test('a success resets the attempts, and so does the end of the window', async () => {
    const service = await start({ database });
    await createMember(service, { role: 'viewer', email });
    for (const _round of [1, 2]) {
      expect(await fail(service, elsewhere, 9)).not.toContain(429);
      expect(await signInRight(service, elsewhere)).toBe(200);
    }
    await fail(service, elsewhere, 10);
    service.advance(10 * minute);
    // The window begins with the first attempt; later ones do not extend it.
    expect(await signInRight(service, elsewhere)).toBe(429);
    service.advance(5 * minute + 1);
    expect(await signInRight(service, elsewhere)).toBe(200);
  });

  test('many addresses that guess one password wait longer, and the member does not', async () => {
    const limits = { signInAttemptsMax: 3, signInAttemptsPerEmail: 12 };
    const service = await start({ database, limits });
    await createMember(service, { role: 'viewer', email });
    for (const last of [1, 2, 3, 4]) await fail(service, `203.0.113.${last}`, 3);
    await fail(service, '203.0.113.5', 3);
    const [early, late] = [await attempt(service, '203.0.113.1'), await attempt(service, '203.0.113.5')];
    expect([early.status, late.status]).toEqual([429, 429]);
    expect(early.retryAfter).toBeLessThanOrEqual(15 * 60);
    expect(late.retryAfter).toBeGreaterThan(15 * 60);
    expect(late.retryAfter).toBeLessThanOrEqual(60 * 60);
    expect(await fail(service, elsewhere, 2)).toEqual([401, 401]);
    expect(await signInRight(service, elsewhere)).toBe(200);
  });

  test('expired counts are deleted even if nobody signs in', async () => {
    const service = await start({ database });
    const countRows = async () => (await service.service.db.read('sign_in_attempts').select('key')).length;
    for (const to of ['a@example.com', 'b@example.com', 'c@example.com'])
      await attempt(service, attacker, { to });
    const before = await countRows();
    service.advance(15 * minute + 1);
    await attempt(service, attacker);
    expect(await countRows()).toBeLessThan(before);
  });

  test('a stolen database does not reveal who failed to sign in', async () => {
    const storedKeys: string[] = [];
    for (const service of [await start({ database }), await start({ database })]) {
      await attempt(service, attacker);
      const rows = await service.service.db.read('sign_in_attempts').select('key');
      storedKeys.push(...rows.map(({ key }) => key));
    }
    // Two services store the same email and address under different keys, so neither can be guessed without a secret.
    expect(storedKeys.length).toBeGreaterThanOrEqual(2);
    expect(new Set(storedKeys).size).toBe(storedKeys.length);
    for (const guess of [email, attacker]) expect(storedKeys.join()).not.toContain(hashOpaqueToken(guess));
  });
});

describe.each(databases)('failed sign-ins on $name', (database) => {
  test('addresses of one IPv6 network count together, even concurrently and across processes', async () => {
    const one = await start({ database });
    const { databaseUrl, secretsDir } = one.service.config;
    const two = await start({ existing: { databaseUrl, secretsDir } });
    const statuses = await Promise.all(
      Array.from({ length: 30 }, (_, at) => attempt(at % 2 ? one : two, `2001:db8:0:12::${at}`)),
    );
    expect(statuses.filter(({ status }) => status === 401)).toHaveLength(10);
    expect(statuses.filter(({ status }) => status === 429)).toHaveLength(20);
    expect((await attempt(two, '2001:db8:0:13::1')).status).toBe(401);
  });
});

describe('passwords that wait to be checked', () => {
  const limits = { databaseRequestMs: 60_000 };

  const startHolding = async () => {
    const service = await start({ limits });
    await createMember(service, { role: 'owner', email });
    await hashPasswordsCheaply(service);
    return { service, release: await holdPasswords(service) };
  };

  test('beyond 50 addresses the next is refused at once, without using an attempt', async () => {
    const { service, release } = await startHolding();
    const strangers = Array.from({ length: 60 }, (_, at) => `203.0.113.${at}`);
    const statuses = await guessAtOnce(service, strangers);
    for (let at = 0; at < 11; at++) expect(await signInRight(service, elsewhere)).toBe(503);
    release();
    expect([count(await statuses(), 401), count(await statuses(), 503)]).toEqual([50, 10]);
    expect(await signInRight(service, elsewhere)).toBe(200);
  });

  test('one address waits for itself only', async () => {
    const { service, release } = await startHolding();
    const statuses = await guessAtOnce(service, Array(60).fill(attacker));
    const owner = signInRight(service, elsewhere);
    release();
    expect(await owner).toBe(200);
    expect([count(await statuses(), 401), count(await statuses(), 429)]).toEqual([10, 40]);
  });
});
