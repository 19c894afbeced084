// Consents that end users gave for a connection. The worker signs each one with the hash of its text, so that write access to
// the database is not enough to make another text look accepted.
import { createHash } from 'node:crypto';
import type { components } from '../../../generated/widget.ts';
import type { Queries } from '../../platform/db/open.ts';
import type { ConsentRow } from '../../platform/db/tables.ts';
import { CorruptData } from '../../platform/values/errors.ts';
import type { PublicKey } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import {
  type SigningKeys,
  type Statement,
  signStatement,
  verifyStatement,
} from '../../platform/vault/sign.ts';
import { findConsents, findConsentTexts, insertConsent } from './consentStore.ts';

type ConsentText = components['schemas']['ConsentText'];
type HashedText = Omit<ConsentText, 'hash'>;

/** The accepted text, its language (a BCP 47 tag), and when it was accepted (ISO 8601, by the application's clock). */
export type AcceptedConsent = Pick<ConsentRow, 'textHash' | 'language' | 'acceptedAt'>;

export type ConnectionKey = Pick<ConsentRow, 'endUserId' | 'connectionId'>;

/** The SHA-256 hash of a consent's text, in base64url. */
export const hashConsent = (text: HashedText): string => hashText(JSON.stringify(text));

const hashText = (json: string): string => createHash('sha256').update(json).digest('base64url');

const statementOf = (consent: Omit<ConsentRow, 'signature'>): Statement => [
  'consent v1',
  consent.endUserId,
  consent.connectionId,
  consent.linkSessionId,
  consent.textHash,
  consent.language,
  consent.acceptedAt,
];

/** Signs and stores a consent. Call it within the transaction that writes the connection. */
export const storeConsent = async (
  trx: Queries,
  consent: Omit<ConsentRow, 'signature'>,
  keys: SigningKeys,
): Promise<void> => {
  await insertConsent(trx, { ...consent, signature: signStatement(statementOf(consent), keys) });
};

/** Re-signed when the `row-signing` secret is rotated. */
export const signed = {
  table: 'consents',
  key: ['endUserId', 'connectionId', 'linkSessionId'],
  column: 'signature',
  madeWith: ['textHash', 'language', 'acceptedAt'],
  statementOf,
} as const;

type ConsentDeps = { db: Queries; signingKeys: Keyset<PublicKey> };

/** The last consent; undefined if there is none. Throws InvalidSignature if its row was changed. */
export const findLastConsent = async (
  { db, signingKeys }: ConsentDeps,
  connection: ConnectionKey,
): Promise<AcceptedConsent | undefined> => {
  const [consent] = await findConsents(db, connection, 1);
  if (consent) verifyStatement(statementOf(consent), consent.signature, signingKeys);
  return consent;
};

export const consentsShownMax = 100;

/** The newest consents with their texts, newest first. Throws CorruptData if a row or a text was changed. */
export const listConsents = async (
  { db, signingKeys }: ConsentDeps,
  connection: ConnectionKey,
): Promise<{ acceptedAt: string; text: HashedText }[]> => {
  const consents = await findConsents(db, connection, consentsShownMax);
  for (const consent of consents) verifyStatement(statementOf(consent), consent.signature, signingKeys);
  const texts = await findConsentTexts(
    db,
    consents.map(({ textHash }) => textHash),
  );
  return consents.map(({ acceptedAt, textHash }) => ({ acceptedAt, text: openText(texts, textHash) }));
};

const openText = (texts: ReadonlyMap<string, string>, hash: string): HashedText => {
  const text = texts.get(hash);
  if (text === undefined || hashText(text) !== hash)
    throw new CorruptData('The text of a stored consent is missing or was changed.');
  return JSON.parse(text);
};
