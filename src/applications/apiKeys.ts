// An API key is a JWT signed with EdDSA (RFC 8037): it names the application, the key and the environment. A
// valid signature is not enough: the key must still stand in the database, which is asked every time, so that
// a withdrawn key is dead at once in every process.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Database } from '../db/open.ts';
import { NotFound, Unauthenticated } from '../errors.ts';
import { isId, makeId } from '../ids.ts';
import type { Application } from './application.ts';
import { type ApiKey, findApiKey, findApplication, insertApiKey, markApiKeyRevoked } from './store.ts';

const algorithm = 'EdDSA';
const issuer = 'bank-connection';

export type ApiKeySigner = { privateKey: KeyObject; publicKey: KeyObject };

// RFC 8410: the fixed head of a PKCS #8 Ed25519 private key, before its 32-byte seed.
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key pair that signs and recognises API keys, from the service's 32-byte secret. */
export const makeApiKeySigner = (seed: Buffer): ApiKeySigner => {
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Head, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return { privateKey, publicKey: createPublicKey(privateKey) };
};

/** Makes a key for an application. The text is returned once and kept nowhere. Throws NotFound. */
export const createApiKey = async (
  db: Database,
  signer: ApiKeySigner,
  request: { applicationId: string; name: string; now: Date; expiresAt?: Date },
): Promise<{ keyId: string; apiKey: string }> => {
  const application = await findApplication(db.read, request.applicationId);
  if (!application) throw new NotFound('application');
  const key = {
    id: makeId('key'),
    applicationId: application.id,
    name: request.name,
    createdAt: request.now.toISOString(),
    expiresAt: request.expiresAt?.toISOString() ?? null,
  };
  const apiKey = await printApiKey(signer, key, application);
  await insertApiKey(db.write, key);
  return { keyId: key.id, apiKey };
};

/** The text of a key, always the same for the same key: EdDSA leaves nothing to chance (RFC 8032). */
export const printApiKey = async (
  signer: ApiKeySigner,
  key: Omit<ApiKey, 'revokedAt'>,
  application: Application,
): Promise<string> => {
  const token = new SignJWT({ environment: application.environment })
    .setProtectedHeader({ alg: algorithm, kid: key.id, typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(application.id)
    .setIssuedAt(new Date(key.createdAt));
  if (key.expiresAt) token.setExpirationTime(new Date(key.expiresAt));
  return token.sign(signer.privateKey);
};

/** The application that a key speaks for; Unauthenticated, always with the same words, for anything else. */
export const recognizeApiKey = async (
  db: Database,
  signer: ApiKeySigner,
  apiKey: string,
  now: Date,
): Promise<Application> => {
  const { keyId, applicationId } = await readApiKey(signer, apiKey, now);
  const key = await findApiKey(db.read, keyId);
  if (!key || key.revokedAt || key.applicationId !== applicationId) throw new Unauthenticated();
  const application = await findApplication(db.read, key.applicationId);
  if (!application) throw new Unauthenticated();
  return application;
};

const readApiKey = async (signer: ApiKeySigner, apiKey: string, now: Date) => {
  try {
    const { payload, protectedHeader } = await jwtVerify(apiKey, signer.publicKey, {
      algorithms: [algorithm],
      issuer,
      currentDate: now,
    });
    const keyId = protectedHeader.kid ?? '';
    if (isId('key', keyId)) return { keyId, applicationId: payload.sub };
  } catch {
    // Whatever is wrong with it, the answer is the same.
  }
  throw new Unauthenticated();
};

/** Withdraws a key; NotFound where there is none. */
export const revokeApiKey = async (db: Database, keyId: string, now: Date): Promise<void> => {
  if (!(await markApiKeyRevoked(db.write, keyId, now))) throw new NotFound('api_key');
};
