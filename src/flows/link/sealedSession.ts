// A session is stored as a record, sealed under a key derived from its secret, which the database does not have. The worker's
// results are sealed to the page.
import type { LinkSessionRow } from '../../platform/db/tables.ts';
import type { Box } from '../../platform/values/box.ts';
import { CorruptData, LinkSessionExpired } from '../../platform/values/errors.ts';
import { constantTimeEqual, deriveKey, deriveKeyPair, makeSecret } from '../../platform/vault/keys.ts';
import { type AssociatedData, seal, sealBox, unseal, unsealBox } from '../../platform/vault/seal.ts';
import type {
  ImportRequest,
  In,
  Kept,
  LinkState,
  OpenLinkSession,
  SealedLinkResult,
  SignedIn,
} from './linkSession.ts';

/** Incremented when the record's format changes. A page whose session has another version starts over. */
export const recordVersion = 4;

/** The content of `state_sealed`. */
export type LinkRecord = { v: number; kept: Kept; state: LinkState };

/** The columns that the record is bound to, so that changing one cannot lead the link to another application or end user. */
type SealedSession = Pick<
  LinkSessionRow,
  'id' | 'applicationId' | 'externalUserId' | 'reconnectConnectionId' | 'origin'
>;

const bindingOf = (session: SealedSession): AssociatedData => {
  const { id, applicationId, externalUserId, reconnectConnectionId, origin } = session;
  // JSON, because an external user id may contain any text.
  return ['link session', JSON.stringify([id, applicationId, externalUserId, reconnectConnectionId, origin])];
};

const recordKey = (secret: Buffer): Buffer => deriveKey(secret, 'link session state v1');

const sealRecord = (record: LinkRecord, session: SealedSession, secret: Buffer): Buffer =>
  seal(JSON.stringify(record), recordKey(secret), bindingOf(session));

/** A new secret, with the hash that the database stores. */
export const makeLinkSessionSecret = () => {
  const secret = makeSecret();
  return {
    text: secret.toString('base64url'),
    hash: hashSecret(secret),
    seal: (record: Omit<LinkRecord, 'v'>, session: SealedSession): Buffer =>
      sealRecord({ v: recordVersion, ...record }, session, secret),
  };
};

const hashSecret = (secret: Buffer): string =>
  deriveKey(secret, 'link session secret hash v1').toString('base64url');

/** Seals the worker's message to the page: the result, the sign-in after a failure, or the accounts to confirm. */
export const sealForPage = (
  message: SealedLinkResult | SignedIn | Omit<In<'accounts'>, 'at'>,
  { pagePublicKey }: ImportRequest,
): Box<'page'> => sealBox(Buffer.from(pagePublicKey, 'base64url'), Buffer.from(JSON.stringify(message)));

const unsealForPage = (sealed: Box<'page'>, secret: Buffer): string =>
  unsealBox(deriveKeyPair(secret), sealed).toString();

/**
 * Opens a session with its secret; undefined if the secret is wrong. Throws LinkSessionExpired for a record of another version,
 * and CorruptData for one that does not match the state of its row.
 */
export const openLinkSession = (
  row: LinkSessionRow,
  application: OpenLinkSession['application'],
  secretText: string,
): OpenLinkSession | undefined => {
  const secret = Buffer.from(secretText, 'base64url');
  if (secret.length !== 32 || secret.toString('base64url') !== secretText) return undefined;
  if (!constantTimeEqual(Buffer.from(hashSecret(secret)), Buffer.from(row.secretHash))) return undefined;
  const { kept, state } = openRecord(row, secret);
  return {
    ...{ row, application, kept, state },
    seal: (next, nextKept = kept, reconnectConnectionId = row.reconnectConnectionId) => {
      const record = { v: recordVersion, kept: nextKept, state: next };
      return sealRecord(record, { ...row, reconnectConnectionId }, secret);
    },
    derivePagePublicKey: () => deriveKeyPair(secret).publicKey,
    openReturn: () => (row.returnSealed ? unsealForPage(row.returnSealed, secret) : undefined),
    reopen: (laterRow) => openLinkSession(laterRow, application, secretText)!,
  };
};

const openRecord = (row: LinkSessionRow, secret: Buffer): Omit<LinkRecord, 'v'> => {
  if (!row.stateSealed) return { kept: { language: undefined, consent: undefined }, state: { at: 'ended' } };
  const json = unseal(row.stateSealed, recordKey(secret), bindingOf(row)).toString();
  const { v, kept, state }: LinkRecord = JSON.parse(json);
  if (v !== recordVersion) throw new LinkSessionExpired();
  if (state.at === row.state) return { kept, state };
  if (state.at !== 'importing') throw new CorruptData('The state of a link session was changed.');
  const message = row.resultSealed && unsealForPage(row.resultSealed, secret);
  return { kept, state: afterImport(row.state, state, message ? JSON.parse(message) : undefined) };
};

/** The worker cannot open the record of an importing session, so its results for the page are stored next to it. */
const afterImport = (
  at: LinkSessionRow['state'],
  { institution, userSecret }: In<'importing'>,
  message: unknown,
): LinkState => {
  if (at === 'failed') return { at, institution, signedIn: message as SignedIn | undefined };
  if (at === 'finished' && message)
    return { at, institution, userSecret, result: message as SealedLinkResult };
  if (at === 'accounts' && message) return { at, ...(message as Omit<In<'accounts'>, 'at'>) };
  throw new CorruptData('The state of a link session was changed.');
};
