// API keys: a signed text that says whose it is, good as long as the database says so, in every process.
import { verify } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type ApiKeySigner,
  createApiKey,
  makeApiKeySigner,
  authenticateApiKey,
  revokeApiKey,
} from '../../src/applications/apiKeys.ts';
import type { Application } from '../../src/applications/application.ts';
import { createApplication, createOrganization } from '../../src/applications/createApplication.ts';
import { addMilliseconds, seconds } from '../../src/clock.ts';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { NotFound, Unauthenticated } from '../../src/errors.ts';
import { makeId } from '../../src/ids.ts';
import { randomBytes } from '../../src/random.ts';
import { databases, type TestDatabase } from '../support/databases.ts';

const now = new Date('2026-05-01T12:00:00Z');
const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
const decode = (part: string | undefined) => JSON.parse(Buffer.from(part!, 'base64url').toString());

for (const kind of databases) {
  describe(`an API key on ${kind.name}`, () => {
    const seed = randomBytes(32);
    let database: TestDatabase;
    let db: Database;
    let elsewhere: Database;
    let signer: ApiKeySigner;
    let shop: Application;
    beforeAll(async () => {
      database = await kind.create();
      // Two processes on one database.
      [db, elsewhere] = [await openDatabase(database.url), await openDatabase(database.url)];
      await createOrganization(db, { name: 'Tests', now });
      shop = await createApplication(db, { name: 'Shop', environment: 'sandbox', origins: [], now });
    });
    beforeEach(() => {
      signer = makeApiKeySigner(seed);
    });
    afterAll(async () => {
      await db.close();
      await elsewhere.close();
      await database.drop();
    });
    const make = (expiresAt?: Date) =>
      createApiKey(db, signer, { applicationId: shop.id, name: 'key', now, expiresAt });
    const owner = async (apiKey: string, at = now, where = db) =>
      (await authenticateApiKey(where, signer, apiKey, at)).application.id;

    test('is a JWT that any library can read: whose it is, which, since when, and for which environment', async () => {
      const { apiKey, keyId } = await make();
      const [header, payload, signature] = apiKey.split('.');
      expect(decode(header)).toEqual({ alg: 'EdDSA', kid: keyId, typ: 'JWT' });
      expect(decode(payload)).toEqual({
        ...{ iss: 'bank-connection', sub: shop.id, environment: 'sandbox' },
        iat: now.getTime() / 1000,
      });
      const signed = Buffer.from(`${header}.${payload}`);
      expect(verify(null, signed, signer.publicKey, Buffer.from(signature!, 'base64url'))).toBe(true);
    });

    test('is recognised, in every process that has the same secret', async () => {
      const { apiKey } = await make();
      expect(await owner(apiKey)).toBe(shop.id);
      signer = makeApiKeySigner(seed);
      expect(await owner(apiKey, now, elsewhere)).toBe(shop.id);
      signer = makeApiKeySigner(randomBytes(32));
      await expect(owner(apiKey)).rejects.toBeInstanceOf(Unauthenticated);
    });

    test('is dead at once where it was withdrawn, in every process, however often it was used before', async () => {
      const { apiKey, keyId } = await make();
      const other = await make();
      expect(await owner(apiKey)).toBe(shop.id);
      expect(await owner(apiKey, now, elsewhere)).toBe(shop.id);
      await revokeApiKey(db, keyId, now);
      await expect(owner(apiKey)).rejects.toBeInstanceOf(Unauthenticated);
      await expect(owner(apiKey, now, elsewhere)).rejects.toBeInstanceOf(Unauthenticated);
      expect(await owner(other.apiKey)).toBe(shop.id);
    });

    test('that has an end is good until then, by our own clock', async () => {
      const end = addMilliseconds(now, seconds(60));
      const { apiKey } = await make(end);
      expect(decode(apiKey.split('.')[1]).exp).toBe(end.getTime() / 1000);
      expect(await owner(apiKey, addMilliseconds(end, -1))).toBe(shop.id);
      await expect(owner(apiKey, end)).rejects.toBeInstanceOf(Unauthenticated);
      expect(await owner(apiKey, now)).toBe(shop.id);
    });

    test('stands nowhere in the database', async () => {
      const { apiKey, keyId } = await make();
      const row = await db.read('api_keys').where({ id: keyId }).first();
      const [, , signature] = apiKey.split('.');
      expect(JSON.stringify(row)).not.toContain(signature);
    });

    test('is not made for an application that is not there, nor withdrawn where it is not', async () => {
      const request = { applicationId: makeId('app'), name: 'key', now };
      await expect(createApiKey(db, signer, request)).rejects.toBeInstanceOf(NotFound);
      await expect(revokeApiKey(db, makeId('key'), now)).rejects.toBeInstanceOf(NotFound);
    });

    test('every text that is none is refused with the same words', async () => {
      const { apiKey } = await make();
      const [header, payload] = apiKey.split('.');
      const others = [
        '',
        'x',
        'a.b.c',
        `${header}.${payload}`,
        `${header}.${payload}.`,
        `${apiKey}x`,
        ` ${apiKey}`,
      ];
      const words = new Set<string>();
      // The last letter of a signature has four bits that say nothing.
      const last = base64url.indexOf(apiKey.at(-1)!);
      others.push(apiKey.slice(0, -1) + base64url[last + 1]);
      for (const text of others) {
        const error = await owner(text).catch((refused: unknown) => refused);
        expect(error).toBeInstanceOf(Unauthenticated);
        words.add(String(error));
      }
      expect(words.size).toBe(1);
    });
  });
}
