// An API key is a JWT signed with EdDSA (RFC 8037): it names the application, the key and the environment. A
// valid signature is not enough: the key must still stand in the database, which is asked every time, so that
// a withdrawn key is dead at once in every process.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import type { Database, DbTransaction } from '../db/open.ts';
import { NotFound, Unauthenticated } from '../errors.ts';
import { isId, makeId } from '../ids.ts';
import type { Application } from './application.ts';
import { type ApiKey, findApiKey, findApplication, insertApiKey, markApiKeyRevoked } from './store.ts';

const algorithm = 'EdDSA';
const issuer = 'bank-connection';

export type ApiKeySigner = {
  privateKey: KeyObject;
  publicKey: KeyObject;
  /** Keys whose signature was verified: it cannot become wrong, and checking it costs more than all else. */
  verified: Map<string, VerifiedKey>;
};
type VerifiedKey = { keyId: string; applicationId: string | undefined };

const verifiedKeysMax = 1000;

// RFC 8410: the fixed head of a PKCS #8 Ed25519 private key, before its 32-byte seed.
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** The key pair that signs and recognises API keys, from the service's 32-byte secret. */
export const makeApiKeySigner = (seed: Buffer): ApiKeySigner => {
  const privateKey = createPrivateKey({
    key: Buffer.concat([pkcs8Prefix, seed]),
    format: 'der',
    type: 'pkcs8',
  });
  return { privateKey, publicKey: createPublicKey(privateKey), verified: new Map() };
};

/** Makes a key for an application. The text is returned once and kept nowhere. Throws NotFound. */
export const createApiKey = async (
  db: Database,
  signer: ApiKeySigner,
  request: {
    applicationId: string;
    name: string;
    now: Date;
    expiresAt?: Date;
    /** The email of the member who makes it. */
    createdBy?: string;
    /** What else is written in the same transaction. */
    also?: (trx: DbTransaction, keyId: string) => Promise<void>;
  },
): Promise<{ keyId: string; apiKey: string }> => {
  const application = await findApplication(db.read, request.applicationId);
  if (!application) throw new NotFound('application');
  const key = {
    id: makeId('key'),
    applicationId: application.id,
    name: request.name,
    createdAt: request.now.toISOString(),
    expiresAt: request.expiresAt?.toISOString() ?? null,
    createdBy: request.createdBy,
  };
  const apiKey = await signApiKey(signer, key, application);
  await db.transaction(async (trx) => {
    await insertApiKey(trx, key);
    await request.also?.(trx, key.id);
  });
  return { keyId: key.id, apiKey };
};

/** The text of a key, always the same for the same key: EdDSA leaves nothing to chance (RFC 8032). */
export const signApiKey = async (
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

/** The application that a key speaks for, and the key's id; Unauthenticated, in the same words, for anything else. */
export const authenticateApiKey = async (
  db: Database,
  signer: ApiKeySigner,
  apiKey: string,
  now: Date,
): Promise<{ application: Application; keyId: string }> => {
  const { keyId, applicationId } = await verifyApiKeyCached(signer, apiKey);
  const key = await findApiKey(db.read, keyId);
  if (!key || key.revokedAt || key.applicationId !== applicationId) throw new Unauthenticated();
  if (key.expiresAt && key.expiresAt <= now.toISOString()) throw new Unauthenticated();
  const application = await findApplication(db.read, key.applicationId);
  if (!application) throw new Unauthenticated();
  return { application, keyId };
};

// Only what the signature says is kept; whether the key still stands is asked of the database every time.
const verifyApiKeyCached = async (signer: ApiKeySigner, apiKey: string): Promise<VerifiedKey> => {
  const known = signer.verified.get(apiKey);
  if (known) return known;
  const key = await verifyApiKey(signer, apiKey);
  if (signer.verified.size >= verifiedKeysMax) signer.verified.clear();
  signer.verified.set(apiKey, key);
  return key;
};

// Base64url leaves spare bits, and its readers pass over what they do not know: a key has one spelling all the same.
const isCanonicalBase64url = (apiKey: string): boolean =>
  apiKey.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

const verifyApiKey = async (signer: ApiKeySigner, apiKey: string): Promise<VerifiedKey> => {
  try {
    if (!isCanonicalBase64url(apiKey)) throw new Unauthenticated();
    // Its expiry stands in the database too, and is judged there by our clock.
    const { payload, protectedHeader } = await jwtVerify(apiKey, signer.publicKey, {
      algorithms: [algorithm],
      issuer,
      currentDate: new Date(0),
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
