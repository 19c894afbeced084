// API keys: signing, authentication and revocation, in several processes on one database.
import { randomBytes, verify } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ApiKeySigner,
  authenticateApiKey,
  createApiKey,
  makeApiKeySigner,
  revokeApiKey,
  signApiKey,
  verifyApiKey,
} from '../../src/domain/applications/apiKeys.ts';
import type { Application } from '../../src/domain/applications/application.ts';
import { createApplication, createOrganization } from '../../src/domain/applications/applications.ts';
import { findApiKey } from '../../src/domain/applications/store.ts';
import { byOperator, operatorActor } from '../../src/domain/audit/by.ts';
import { type Database, openDatabase } from '../../src/platform/db/open.ts';
import { addMilliseconds, seconds } from '../../src/platform/values/clock.ts';
import { Unauthenticated } from '../../src/platform/values/errors.ts';

import { keyId as idOf } from '../../src/platform/vault/keys.ts';
import { type DatabaseKind, databases, oneDatabase, type TestDatabase } from '../support/databases.ts';
import { keysetOf } from '../support/keysetOf.ts';

const now = new Date('2026-05-01T12:00:00Z');
const by = { actor: operatorActor, now };

const decode = (part: string | undefined) => JSON.parse(Buffer.from(part!, 'base64url').toString());

type Fixture = { db: Database; otherDb: Database; shop: Application; signer: ApiKeySigner };

const seed = randomBytes(32);

/** Two processes on one database, and an application with its keys. */
const useKeys = (kind: DatabaseKind) => {
  const fixture = {} as Fixture;
  let database: TestDatabase;
  beforeAll(async () => {
    database = await kind.create();
    const db = await openDatabase(database.url);
    Object.assign(fixture, { db, otherDb: await openDatabase(database.url) });
    const { id: organizationId } = await createOrganization(db, 'Tests', by);
    const request = { name: 'Shop', environment: 'sandbox' as const, origins: [] };
    fixture.shop = await createApplication(db, request, byOperator(organizationId, now));
  });
  beforeEach(() => {
    fixture.signer = makeApiKeySigner(keysetOf(seed));
  });
  afterAll(async () => {
    await fixture.db.close();
    await fixture.otherDb.close();
    await database.drop();
  });
  const createKey = (expiresAt?: Date) =>
    createApiKey(fixture.db, fixture.signer, { applicationId: fixture.shop.id, name: 'key', expiresAt }, by);
  const authenticate = async (apiKey: string, at = now, database = fixture.db) =>
    (await authenticateApiKey(database, await verifyApiKey(fixture.signer, apiKey), at)).application.id;
  return { fixture, createKey, authenticate };
};

describe.each(oneDatabase)('an API key on $name', (kind) => {
  const { fixture, createKey, authenticate } = useKeys(kind);

  test('is a JWT with the application, the key id, the creation time and the environment', async () => {
    const { shop } = fixture;
    const { apiKey, keyId } = await createKey();
    const [header, payload, signature] = apiKey.split('.');
    expect(decode(header)).toEqual({ alg: 'EdDSA', kid: keyId, typ: 'JWT' });
    expect(decode(payload)).toEqual({
      ...{ iss: 'bank-connection', sub: shop.id, environment: 'sandbox' },
      iat: now.getTime() / 1000,
    });
    const signed = Buffer.from(`${header}.${payload}`);
    expect(
      verify(null, signed, fixture.signer.keys.current().publicKey, Buffer.from(signature!, 'base64url')),
    ).toBe(true);
  });

  test('is valid only with the secret that it was created with, not with another one of the service', async () => {
    const { db, shop } = fixture;
    const older = randomBytes(32);
    fixture.signer = makeApiKeySigner(keysetOf(seed, older));
    const { keyId, apiKey } = await createKey();
    const stored = (await findApiKey(db.read, keyId))!;
    expect(await signApiKey(fixture.signer, stored, shop)).toBe(apiKey);
    const forged = await signApiKey(fixture.signer, { ...stored, signingSecretId: idOf(older) }, shop);
    await expect(authenticate(forged)).rejects.toBeInstanceOf(Unauthenticated);
    expect(await authenticate(apiKey)).toBe(shop.id);
  });

  test('is valid until it expires, by the clock of the service', async () => {
    const { shop } = fixture;
    const expiresAt = addMilliseconds(now, seconds(60));
    const { apiKey } = await createKey(expiresAt);
    expect(decode(apiKey.split('.')[1]).exp).toBe(expiresAt.getTime() / 1000);
    expect(await authenticate(apiKey, addMilliseconds(expiresAt, -1))).toBe(shop.id);
    await expect(authenticate(apiKey, expiresAt)).rejects.toBeInstanceOf(Unauthenticated);
    expect(await authenticate(apiKey, now)).toBe(shop.id);
  });
});

describe.each(databases)('an API key on $name', (kind) => {
  const { fixture, createKey, authenticate } = useKeys(kind);

  test('is invalid in every process as soon as it is revoked, even if it was used before', async () => {
    const { db, otherDb, shop } = fixture;
    const { apiKey, keyId } = await createKey();
    const other = await createKey();
    expect(await authenticate(apiKey)).toBe(shop.id);
    expect(await authenticate(apiKey, now, otherDb)).toBe(shop.id);
    await revokeApiKey(db, keyId, by);
    await expect(authenticate(apiKey)).rejects.toBeInstanceOf(Unauthenticated);
    await expect(authenticate(apiKey, now, otherDb)).rejects.toBeInstanceOf(Unauthenticated);
    expect(await authenticate(other.apiKey)).toBe(shop.id);
  });
});
