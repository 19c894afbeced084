// Credentials that must not let anybody in, each by what is wrong with it.
import { createHmac, sign } from 'node:crypto';
import {
  createApiKey,
  makeApiKeySigner,
  signApiKey,
  revokeApiKey,
} from '../../../src/applications/apiKeys.ts';
import { findApiKey, findApplication } from '../../../src/applications/store.ts';
import { addMilliseconds, seconds } from '../../../src/clock.ts';
import { makeId } from '../../../src/ids.ts';
import { randomBytes } from '../../../src/random.ts';
import { parseScopedToken, encodeScopedToken } from '../../../src/vault/scopedToken.ts';
import type { ApiFixture } from './fixture.ts';

type InvalidApiKey = { apiKey: string | null; headers?: Record<string, string> };

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part: string): object => JSON.parse(Buffer.from(part, 'base64url').toString());

const partsOf = (apiKey: string): { header: object; payload: object; signature: string } => {
  const [header = '', payload = '', signature = ''] = apiKey.split('.');
  return { header: decode(header), payload: decode(payload), signature };
};

/** The shop's own key and application as the database has them. */
const rowsOf = async ({ service, shop }: ApiFixture) => ({
  key: (await findApiKey(service.service.db.read, shop.keyId))!,
  application: (await findApplication(service.service.db.read, shop.id))!,
});

/** A key that the service's own secret has signed, over whatever is said here. */
const signJwt = ({ service }: ApiFixture, header: object, payload: object): string => {
  const text = `${encode(header)}.${encode(payload)}`;
  return `${text}.${sign(null, Buffer.from(text), service.service.apiKeySigner.privateKey).toString('base64url')}`;
};

const changeCharacter = (text: string, at: number): string => {
  const other = text[at] === 'A' ? 'B' : 'A';
  return text.slice(0, at) + other + text.slice(at + 1);
};

/** Each makes a key, or a whole header, that must be refused with 401. */
export const invalidApiKeys: Record<string, (stage: ApiFixture) => InvalidApiKey | Promise<InvalidApiKey>> = {
  'no key': () => ({ apiKey: null }),
  'an empty key': () => ({ apiKey: null, headers: { Authorization: 'Bearer ' } }),
  'a garbage key': () => ({ apiKey: 'garbage' }),
  'a key in another scheme': ({ shop }) => ({
    apiKey: null,
    headers: { Authorization: `Basic ${shop.apiKey}` },
  }),
  'two keys, one of them good': ({ shop }) => ({ apiKey: `${shop.apiKey}, Bearer ${shop.apiKey}` }),
  'a scoped token in the place of the key': ({ ada }) => ({ apiKey: ada.token }),
  'a withdrawn key': async ({ service, shop }) => {
    const { keyId, apiKey } = await service.addKey(shop.id);
    await revokeApiKey(service.service.db, keyId, new Date());
    return { apiKey };
  },
  'an expired key': async ({ service, shop }) => {
    const { db, apiKeySigner, clock } = service.service;
    const now = clock.real();
    const expiresAt = addMilliseconds(now, -seconds(1));
    return createApiKey(db, apiKeySigner, { applicationId: shop.id, name: 'old', now, expiresAt });
  },
  'a key that another service has signed': async (stage) => {
    const { key, application } = await rowsOf(stage);
    return { apiKey: await signApiKey(makeApiKeySigner(randomBytes(32)), key, application) };
  },
  'a good signature under a key that was never made': async (stage) => {
    const { key, application } = await rowsOf(stage);
    const apiKey = await signApiKey(
      stage.service.service.apiKeySigner,
      { ...key, id: makeId('key') },
      application,
    );
    return { apiKey };
  },
  'a good signature over another application’s name': async (stage) => {
    const { key, application } = await rowsOf(stage);
    const { apiKeySigner: signer } = stage.service.service;
    return { apiKey: await signApiKey(signer, key, { ...application, id: stage.otherApplication.id }) };
  },
  'a good signature for another issuer': (stage) => {
    const { header, payload } = partsOf(stage.shop.apiKey);
    return { apiKey: signJwt(stage, header, { ...payload, iss: 'somebody-else' }) };
  },
  'a key that says alg: none': ({ shop }) => {
    const { header, payload } = partsOf(shop.apiKey);
    return { apiKey: `${encode({ ...header, alg: 'none' })}.${encode(payload)}.` };
  },
  'a key signed with the public key as if it were a secret': ({ shop, service }) => {
    const { header, payload } = partsOf(shop.apiKey);
    const secret = service.service.apiKeySigner.publicKey.export({ type: 'spki', format: 'pem' });
    const text = `${encode({ ...header, alg: 'HS256' })}.${encode(payload)}`;
    return { apiKey: `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}` };
  },
  'a key without its signature': ({ shop }) => ({ apiKey: shop.apiKey.replace(/[^.]+$/, '') }),
  'a key with a character of its claims changed': ({ shop }) => {
    return { apiKey: changeCharacter(shop.apiKey, shop.apiKey.indexOf('.') + 20) };
  },
};

/** Each makes tokens that must be refused with 403. */
export const invalidScopedTokens: Record<string, (stage: ApiFixture) => (string | null)[]> = {
  'no token': () => [null],
  'an empty token': () => [''],
  'a garbage token': () => ['garbage', 'sct_', `sct_${'A'.repeat(72)}`, 'x'.repeat(4000)],
  'a token with one character changed, wherever that is': ({ ada, throughPrism }) => {
    const all = Array.from(ada.token, (_, at) => changeCharacter(ada.token, at));
    return throughPrism ? all.filter((_, at) => at % 19 === 0) : all;
  },
  'a token with a character more or less': ({ ada: { token } }) => [
    `${token}A`,
    token.slice(0, -1),
    `A${token}`,
  ],
  'two tokens, one of them good': ({ ada }) => [`${ada.token}, ${ada.token}`],
  'another application’s token': ({ cleo }) => [cleo.token],
  'an API key in the place of the token': ({ shop }) => [shop.apiKey],
  'a token of the right form with another secret': ({ ada }) => {
    const { endUserId } = parseScopedToken(ada.token)!;
    return [encodeScopedToken({ endUserId, secret: randomBytes(32) })];
  },
  'one user’s secret under another user’s name': ({ ada, ben }) => {
    const { endUserId } = parseScopedToken(ada.token)!;
    const { secret } = parseScopedToken(ben.token)!;
    return [encodeScopedToken({ endUserId, secret })];
  },
  'the token of a user who does not exist': ({ ada }) => {
    const { secret } = parseScopedToken(ada.token)!;
    return [encodeScopedToken({ endUserId: makeId('usr'), secret })];
  },
};
