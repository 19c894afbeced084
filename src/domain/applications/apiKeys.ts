// API keys are EdDSA-signed JWTs (RFC 8037) that name the application, the key and the environment. Each request also looks up
// the key in the database, so a revoked key immediately stops working in every process.
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { jwtVerify, SignJWT } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Database } from '../../platform/db/open.ts';
import { sql } from '../../platform/db/sql.ts';
import type { ApiKeyRow, ApplicationRow } from '../../platform/db/tables.ts';
import { NotFound, Unauthenticated } from '../../platform/values/errors.ts';
import { isId, makeId } from '../../platform/values/ids.ts';
import { deriveKey, keyId } from '../../platform/vault/keys.ts';
import { deriveKeyset, type Keyset } from '../../platform/vault/keyset.ts';
import type { ActorAt } from '../audit/by.ts';
import { audited, recordAudit } from '../audit/store.ts';
import type { Application } from './application.ts';
import type { ApiKey } from './store.ts';
import * as store from './store.ts';

const algorithm = 'EdDSA';
const issuer = 'bank-connection';

export type ApiKeySigner = {
  keys: Keyset<SigningKeyPair>;
  /** Cache of verified API keys: verification is the most expensive step, and its result never changes. */
  verified: LRUCache<string, VerifiedKey>;
  /** Keys for hashing organization tokens. */
  tokenKeys: Keyset<Buffer>;
};
/** A key pair and the id of the service secret it is derived from. */
type SigningKeyPair = { id: string; privateKey: KeyObject; publicKey: KeyObject };
export type VerifiedKey = { keyId: string; applicationId: string | undefined; signingSecretId: string };

const verifiedKeysMax = 1000;

// The constant prefix of a PKCS #8 Ed25519 private key, before its 32-byte seed (RFC 8410).
const pkcs8Prefix = Buffer.from('302e020100300506032b657004220420', 'hex');

const deriveSigningKeyPair = (seed: Buffer): SigningKeyPair => {
  const key = Buffer.concat([pkcs8Prefix, seed]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  return { id: keyId(seed), privateKey, publicKey: createPublicKey(privateKey) };
};

/** Signs and verifies API keys with key pairs derived from the service's 32-byte secrets. */
export const makeApiKeySigner = (secrets: Keyset<Buffer>): ApiKeySigner => ({
  keys: deriveKeyset(secrets, deriveSigningKeyPair),
  verified: new LRUCache({ max: verifiedKeysMax }),
  tokenKeys: deriveKeyset(secrets, (seed) => deriveKey(seed, 'organization tokens v1')),
});

/** Creates an API key for an application and records the audit event. The key is not stored. Throws NotFound. */
export const createApiKey = async (
  db: Database,
  signer: ApiKeySigner,
  request: { applicationId: string; name: string; expiresAt?: Date },
  by: ActorAt,
): Promise<{ keyId: string; apiKey: string }> => {
  const { name } = request;
  const application = await store.findApplication(db.read, request.applicationId);
  if (!application) throw new NotFound('application');
  const expiresAt = request.expiresAt?.toISOString();
  return signer.keys.withCurrent(async ({ id: signingSecretId }) => {
    const key = {
      id: makeId('key'),
      applicationId: application.id,
      name,
      createdAt: by.now.toISOString(),
      signingSecretId,
      expiresAt: expiresAt ?? null,
      createdBy: by.actor.email ?? by.actor.tokenId ?? undefined,
    };
    const apiKey = await signApiKey(signer, key, application);
    const { id, organizationId } = application;
    await audited(db, { ...by, organizationId }, async (trx) => {
      await store.insertApiKey(trx, key);
      const details = { name, application: id, ...(expiresAt && { expiresAt }) };
      return { action: 'api_key_created', subject: key.id, details };
    });
    return { keyId: key.id, apiKey };
  });
};

/**
 * Signs an API key's JWT with its recorded secret. Signing again gives the same JWT, because EdDSA is deterministic (RFC 8032).
 */
export const signApiKey = async (
  signer: ApiKeySigner,
  key: Omit<ApiKey, 'revokedAt'>,
  application: Application,
): Promise<string> => {
  const pair = signer.keys.find(key.signingSecretId);
  if (!pair) throw new Error(`The secret that signs ${key.id} is retired.`);
  const token = new SignJWT({ environment: application.environment })
    .setProtectedHeader({ alg: algorithm, kid: key.id, typ: 'JWT' })
    .setIssuer(issuer)
    .setSubject(application.id)
    .setIssuedAt(new Date(key.createdAt));
  if (key.expiresAt) token.setExpirationTime(new Date(key.expiresAt));
  return token.sign(pair.privateKey);
};

export type AuthenticatedKey = {
  keyId: string;
  application: Pick<Application, 'id' | 'organizationId' | 'environment' | 'requestsPerMinute'>;
};

type KeyRow = Pick<ApiKeyRow, 'applicationId' | 'signingSecretId' | 'expiresAt' | 'revokedAt'> &
  Pick<ApplicationRow, 'organizationId' | 'environment' | 'archivedAt' | 'requestsPerMinute'>;

const selectKey = sql<{ id: string }, KeyRow>(`
  select application_id as "applicationId", signing_secret_id as "signingSecretId", expires_at as "expiresAt",
    revoked_at as "revokedAt", organization_id as "organizationId", environment, archived_at as "archivedAt",
    requests_per_minute as "requestsPerMinute"
  from api_keys join applications on applications.id = application_id where api_keys.id = :id`);

/** Finds the application of a verified API key. Throws Unauthenticated, with the same message for every reason. */
export const authenticateApiKey = async (
  db: Database,
  { keyId, applicationId, signingSecretId }: VerifiedKey,
  now: Date,
): Promise<AuthenticatedKey> => {
  const [key] = await selectKey(db.read, { id: keyId });
  if (!key || key.revokedAt || key.applicationId !== applicationId) throw new Unauthenticated();
  if (key.archivedAt) throw new Unauthenticated();
  // Another signing secret must not be able to forge this key.
  if (key.signingSecretId !== signingSecretId) throw new Unauthenticated();
  if (key.expiresAt && key.expiresAt <= now.toISOString()) throw new Unauthenticated();
  const { organizationId, environment, requestsPerMinute } = key;
  return { keyId, application: { id: applicationId, organizationId, environment, requestsPerMinute } };
};

/**
 * Verifies the signature of an API key. Only the content of the JWT is cached: `authenticateApiKey` checks for revocation in
 * the database on every request. Throws Unauthenticated.
 */
export const verifyApiKey = async (signer: ApiKeySigner, apiKey: string): Promise<VerifiedKey> => {
  const cached = signer.verified.get(apiKey);
  if (cached) return cached;
  const key = await verifySignature(signer, apiKey);
  signer.verified.set(apiKey, key);
  return key;
};

// base64url decoders ignore unused bits and unknown characters, so only the canonical encoding is accepted.
const isCanonicalBase64url = (apiKey: string): boolean =>
  apiKey.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

const verifySignature = async (signer: ApiKeySigner, apiKey: string): Promise<VerifiedKey> => {
  if (!isCanonicalBase64url(apiKey)) throw new Unauthenticated();
  for (const { id: signingSecretId, publicKey } of signer.keys.all()) {
    try {
      // authenticateApiKey checks the expiry stored in the database, by the service's clock.
      const { payload, protectedHeader } = await jwtVerify(apiKey, publicKey, {
        algorithms: [algorithm],
        issuer,
        currentDate: new Date(0),
      });
      const keyId = protectedHeader.kid ?? '';
      if (isId('key', keyId)) return { keyId, applicationId: payload.sub, signingSecretId };
    } catch {
      // Every failure gets the same error.
    }
  }
  throw new Unauthenticated();
};

/** Revokes an API key and records the audit event. Revoking it again changes nothing. Throws NotFound. */
export const revokeApiKey = async (
  db: Database,
  keyId: string,
  by: ActorAt,
  /** The application that the key must belong to. */
  applicationId?: string,
): Promise<void> => {
  await db.transaction(async (trx) => {
    const key = await store.findApiKey(trx, keyId);
    const application = key && (await store.findApplication(trx, key.applicationId));
    if (!application || application.id !== (applicationId ?? application.id)) throw new NotFound('api_key');
    if (!(await store.markApiKeyRevoked(trx, keyId, by.now))) return;
    const { id, organizationId } = application;
    const details = { name: key.name, application: id };
    await recordAudit(trx, { ...by, organizationId }, { action: 'api_key_revoked', subject: keyId, details });
  });
};
