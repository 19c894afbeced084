// Invalid API keys and scoped tokens, by fault.
import { createHmac, randomBytes, sign } from 'node:crypto';
import {
  createApiKey,
  makeApiKeySigner,
  revokeApiKey,
  signApiKey,
} from '../../../src/domain/applications/apiKeys.ts';
import { findApiKey, findApplication } from '../../../src/domain/applications/store.ts';
import { operatorActor } from '../../../src/domain/audit/by.ts';
import { addMilliseconds, seconds } from '../../../src/platform/values/clock.ts';
import { makeId } from '../../../src/platform/values/ids.ts';
import { encodeScopedToken, parseScopedToken } from '../../../src/platform/vault/scopedToken.ts';
import { keysetOf } from '../../support/keysetOf.ts';
import type { ApiFixture } from './fixture.ts';

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

type InvalidApiKey = { apiKey: string | null; headers?: Record<string, string> };

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): object => JSON.parse(Buffer.from(part, 'base64url').toString());

const partsOf = (apiKey: string): { header: object; payload: object; signature: string } => {
  const [header = '', payload = '', signature = ''] = apiKey.split('.');
  return { header: decode(header), payload: decode(payload), signature };
};

/** The stored key and application of `shop`. */
const rowsOf = async ({ service, shop }: ApiFixture) => ({
  key: (await findApiKey(service.service.db.read, shop.keyId))!,
  application: (await findApplication(service.service.db.read, shop.id))!,
});

/** A JWT with any header and payload, signed by the service. */
const signJwt = ({ service }: ApiFixture, header: object, payload: object): string => {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${sign(null, Buffer.from(text), service.service.apiKeySigner.keys.current().privateKey).toString('base64url')}`;
};

const changeCharacter = (text: string, at: number): string => {
  const replacement = text[at] === 'A' ? 'B' : 'A';
  return text.slice(0, at) + replacement + text.slice(at + 1);
};

/** API keys, or whole headers, that must be refused with 401. */
export const invalidApiKeys: Record<string, (fixture: ApiFixture) => InvalidApiKey | Promise<InvalidApiKey>> =
  {
    'no key': () => ({ apiKey: null }),
    'an empty key': () => ({ apiKey: null, headers: { Authorization: 'Bearer ' } }),
    'a garbage key': () => ({ apiKey: 'garbage' }),
    'a key in another scheme': ({ shop }) => ({
      apiKey: null,
      headers: { Authorization: `Basic ${shop.apiKey}` },
    }),
    'two keys, one of them valid': ({ shop }) => ({ apiKey: `${shop.apiKey}, Bearer ${shop.apiKey}` }),
    'a scoped token instead of the key': ({ ada }) => ({ apiKey: ada.token }),
    'a revoked key': async ({ service, shop }) => {
      const { keyId, apiKey } = await service.addKey(shop.id);
      await revokeApiKey(service.service.db, keyId, { actor: operatorActor, now: new Date() });
      return { apiKey };
    },
    'an expired key': async ({ service, shop }) => {
      const { db, apiKeySigner, clock } = service.service;
      const now = clock.real();
      const expiresAt = addMilliseconds(now, -seconds(1));
      const request = { applicationId: shop.id, name: 'old', expiresAt };
      return createApiKey(db, apiKeySigner, request, { actor: operatorActor, now });
    },
    'a key signed by another service': async (fixture) => {
      const { key, application } = await rowsOf(fixture);
      const signer = makeApiKeySigner(keysetOf(randomBytes(32)));
      const signingSecretId = signer.keys.current().id;
      return { apiKey: await signApiKey(signer, { ...key, signingSecretId }, application) };
    },
    'a valid signature with the id of a key that does not exist': async (fixture) => {
      const { key, application } = await rowsOf(fixture);
      const apiKey = await signApiKey(
        fixture.service.service.apiKeySigner,
        { ...key, id: makeId('key') },
        application,
      );
      return { apiKey };
    },
    'a valid signature with the id of another application': async (fixture) => {
      const { key, application } = await rowsOf(fixture);
      const { apiKeySigner: signer } = fixture.service.service;
      return { apiKey: await signApiKey(signer, key, { ...application, id: fixture.otherApplication.id }) };
    },
    'a valid signature for another issuer': (fixture) => {
      const { header, payload } = partsOf(fixture.shop.apiKey);
      return { apiKey: signJwt(fixture, header, { ...payload, iss: 'other-issuer' }) };
    },
    'a key with alg: none': ({ shop }) => {
      const { header, payload } = partsOf(shop.apiKey);
      return { apiKey: `${encode({ ...header, alg: 'none' })}.${encode(payload)}.` };
    },
    'a key signed with HS256 and the public key': ({ shop, service }) => {
      const { header, payload } = partsOf(shop.apiKey);
      const secret = service.service.apiKeySigner.keys
        .current()
        .publicKey.export({ type: 'spki', format: 'pem' });
      const text = `${encode({ ...header, alg: 'HS256' })}.${encode(payload)}`;
      return { apiKey: `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}` };
    },
    'a key without a signature': ({ shop }) => ({ apiKey: shop.apiKey.replace(/[^.]+$/, '') }),
    // The last character of a signature has four unused bits.
    'a key that ends with another character for the same bytes': ({ shop: { apiKey } }) => ({
      apiKey: apiKey.slice(0, -1) + base64url[base64url.indexOf(apiKey.at(-1)!) + 1],
    }),
    'a key with a changed claim': ({ shop }) => {
      return { apiKey: changeCharacter(shop.apiKey, shop.apiKey.indexOf('.') + 20) };
    },
  };

/** Scoped tokens that must be refused with 403. */
export const invalidScopedTokens: Record<string, (fixture: ApiFixture) => (string | null)[]> = {
  'no token': () => [null],
  'an empty token': () => [''],
  'a garbage token': () => ['garbage', 'sct_', `sct_${'A'.repeat(72)}`, 'x'.repeat(4000)],
  'a token with one character changed, at any position': ({ ada, throughPrism }) => {
    const all = Array.from(ada.token, (_, at) => changeCharacter(ada.token, at));
    return throughPrism ? all.filter((_, at) => at % 19 === 0) : all;
  },
  'a token with a character added or removed': ({ ada: { token } }) => [
    `${token}A`,
    token.slice(0, -1),
    `A${token}`,
  ],
  'two tokens, one of them valid': ({ ada }) => [`${ada.token}, ${ada.token}`],
  'a token of another application': ({ cleo }) => [cleo.token],
  'an API key instead of the token': ({ shop }) => [shop.apiKey],
  'a well-formed token with another secret': ({ ada }) => {
    const { endUserId } = parseScopedToken(ada.token)!;
    return [encodeScopedToken({ endUserId, secret: randomBytes(32) })];
  },
  'the secret of one end user with the id of another': ({ ada, ben }) => {
    const { endUserId } = parseScopedToken(ada.token)!;
    const { secret } = parseScopedToken(ben.token)!;
    return [encodeScopedToken({ endUserId, secret })];
  },
  'the token of an end user who does not exist': ({ ada }) => {
    const { secret } = parseScopedToken(ada.token)!;
    return [encodeScopedToken({ endUserId: makeId('usr'), secret })];
  },
};
