// A linking session: its states, the steps that each allows, and what it remembers between them. What it
// remembers is sealed under a key made from the session's secret, which only the widget's page holds: any
// process can take the next step, and a stolen database shows nothing.
import type { components } from '../../generated/widget.ts';
import type { BankAccount, Challenge, Credentials } from '../connectors/connector.ts';
import type { Environment } from '../clock.ts';
import { deriveKey, deriveKeyPair, makeSecret, constantTimeEqual } from '../vault/keys.ts';
import { unseal, unsealBox, seal, sealBox } from '../vault/seal.ts';

type Schemas = components['schemas'];
export type LinkSessionView = Schemas['LinkSessionView'];
export type LinkStep = Schemas['LinkStep'];
export type LinkStepKind = LinkStep['kind'];
export type LinkFailureReason = Schemas['FailedView']['reason'];
export type LinkStepError = Schemas['LinkStepError'];
export type LinkResult = Schemas['LinkResult'];

export type LinkSessionStatus = LinkSessionView['state'] | 'ended';

/** What may be done where. A session that reconnects never goes back to choosing a bank. */
export const allowedSteps: Record<LinkSessionStatus, readonly LinkStepKind[]> = {
  consent: ['consent'],
  institution: ['selectInstitution', 'back'],
  credentials: ['credentials', 'back'],
  challenge: ['answer', 'back'],
  accounts: ['selectAccounts', 'back'],
  importing: [],
  finished: [],
  failed: ['retry'],
  ended: [],
};

/** What the steps so far have left. */
export type LinkSessionState = {
  institution?: { id: string; name: string };
  values?: Credentials;
  deviceToken?: string;
  challengeState?: string;
  challenge?: Challenge;
  access?: string;
  accounts?: BankAccount[];
  error?: LinkStepError;
  /** The secret of a new end user, in base64url: it becomes the scoped token if the user is new. */
  userSecret?: string;
};

/** What the worker needs to import, sealed to it. `accountIds` are the bank's; gone when the import is. */
export type ImportRequest = {
  institution: { id: string; name: string };
  values: Credentials;
  deviceToken?: string;
  access: string;
  accountIds: string[];
  /** The public half of the key of the end user that this connection may bring, in base64url. */
  publicKey: string;
};

/** What the worker leaves for the page. The token is added where the page's secret opens it. */
export type SealedLinkResult = Omit<LinkResult, 'scopedToken'> & { newEndUserId?: string };

export type LinkSessionRow = {
  id: string;
  applicationId: string;
  secretHash: string;
  publicKey: Buffer;
  origin: string;
  externalUserId: string | null;
  reconnectId: string | null;
  state: LinkSessionStatus;
  version: number;
  lockedUntil: string | null;
  stateSealed: Buffer | null;
  importRequestSealed: Buffer | null;
  connectionId: string | null;
  endUserId: string | null;
  progress: string | null;
  failure: LinkFailureReason | null;
  resultSealed: Buffer | null;
  deliveredAt: string | null;
  createdAt: string;
  expiresAt: string;
};

/** A session whose secret has been shown: its memory and result can be opened. */
export type OpenLinkSession = {
  row: LinkSessionRow;
  application: { id: string; name: string; environment: Environment };
  savedState: LinkSessionState;
  sealState(memory: LinkSessionState): Buffer;
  openResult(): SealedLinkResult;
  /** The same session as it stands in the database now. */
  reopen(row: LinkSessionRow): OpenLinkSession;
};

/** A fresh secret with what the database keeps of it: a hash to know it by, a key to seal results to. */
export const makeLinkSessionSecret = () => {
  const secret = makeSecret();
  return {
    text: secret.toString('base64url'),
    hash: hashSecret(secret),
    publicKey: deriveKeyPair(secret).publicKey,
    seal: (memory: LinkSessionState, sessionId: string): Buffer => sealState(memory, sessionId, secret),
  };
};

const hashSecret = (secret: Buffer): string => deriveKey(secret, 'session proof v1').toString('base64url');

const sealState = (memory: LinkSessionState, sessionId: string, secret: Buffer): Buffer =>
  seal(JSON.stringify(memory), deriveKey(secret, 'session memory v1'), ['linking session', sessionId]);

/** Opens a session with its secret; undefined where the secret is another. */
export const openLinkSession = (
  row: LinkSessionRow,
  application: OpenLinkSession['application'],
  secretText: string,
): OpenLinkSession | undefined => {
  const secret = Buffer.from(secretText, 'base64url');
  if (secret.length !== 32 || secret.toString('base64url') !== secretText) return undefined;
  if (!constantTimeEqual(Buffer.from(hashSecret(secret)), Buffer.from(row.secretHash))) return undefined;
  const memoryKey = deriveKey(secret, 'session memory v1');
  return {
    row,
    application,
    savedState: row.stateSealed
      ? JSON.parse(unseal(row.stateSealed, memoryKey, ['linking session', row.id]))
      : {},
    sealState: (memory) => sealState(memory, row.id, secret),
    openResult: () => JSON.parse(unsealBox(deriveKeyPair(secret), row.resultSealed!).toString()),
    reopen: (later) => openLinkSession(later, application, secretText)!,
  };
};

/** Seals a result to the page that holds the session's secret. */
export const sealLinkResult = (result: SealedLinkResult, publicKey: Buffer): Buffer =>
  sealBox(publicKey, Buffer.from(JSON.stringify(result)));
