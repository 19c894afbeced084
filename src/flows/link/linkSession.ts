// A link session: its states, the steps that each state allows, and the data that it keeps between steps. This data is
// sealed under a key derived from the session's secret, which only the widget's page has. So any process can run the
// next step, and a stolen database reveals nothing.
import type { BankAccount, Challenge, Credentials } from '../../../connectors/kit/contract.ts';
import type { components } from '../../../generated/widget.ts';
import type { AcceptedConsent } from '../../domain/connections/consents.ts';
import type { Job } from '../../domain/connections/jobs.ts';
import type { Registry } from '../../domain/institutions/registry.ts';
import type { RateLimiter } from '../../domain/rateLimits/rateLimiter.ts';
import type { MetricsRecorder } from '../../domain/requestLog/recorder.ts';
import type { Database } from '../../platform/db/open.ts';
import type { LinkSessionRow } from '../../platform/db/tables.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import { addMilliseconds, type Clock, type ClockId, seconds } from '../../platform/values/clock.ts';
import type { Company } from '../../platform/values/company.ts';
import { BankRefused, BankUnreachable } from '../../platform/values/errors.ts';
import {
  constantTimeEqual,
  deriveKey,
  deriveKeyPair,
  makeSecret,
  type PublicKey,
} from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import { type AssociatedData, seal, sealBox, unseal, unsealBox } from '../../platform/vault/seal.ts';

type Schemas = components['schemas'];
export type LinkSessionView = Schemas['LinkSessionView'];
export type LinkStep = Schemas['LinkStep'];
export type LinkStepKind = LinkStep['kind'];
export type LinkFailureReason = Schemas['FailedView']['reason'];
export type LinkStepError = Schemas['LinkStepError'];
export type LinkResult = Schemas['LinkResult'];
export type ConsentText = Schemas['ConsentText'];
export type RetryTarget = Schemas['RetryTarget'];

export type LinkSessionStatus = LinkSessionRow['state'];

/**
 * The steps that each state allows. A session that reconnects cannot go back to choosing an institution; it begins at the
 * consent only if the connection has none of the text as it reads now.
 */
export const allowedSteps: Record<LinkSessionStatus, readonly LinkStepKind[]> = {
  consent: ['consent'],
  institution: ['selectInstitution', 'back'],
  credentials: ['credentials', 'back'],
  challenge: ['answer', 'challengeAction', 'returned', 'back'],
  accounts: ['selectAccounts', 'reconnect', 'back'],
  importing: [],
  finished: [],
  failed: ['retry'],
  ended: [],
};

/** The states of a session in their order. */
const statesInOrder: readonly LinkSessionStatus[] = [
  'consent',
  'institution',
  'credentials',
  'challenge',
  'accounts',
  'importing',
  'finished',
];

/** How far a session has come in a state; less than 0 in one without an order. */
export const rankOf = (state: LinkSessionStatus): number => statesInOrder.indexOf(state);

/** The columns for statistics after a step: the furthest state, and the institution that was selected last. */
export const statisticsOf = (
  row: Pick<LinkSessionRow, 'reached' | 'institutionId'>,
  state: LinkSessionStatus,
  { institution }: LinkSessionState,
): Pick<LinkSessionRow, 'reached' | 'institutionId'> => ({
  reached: rankOf(state) > rankOf(row.reached) ? (state as LinkSessionRow['reached']) : row.reached,
  institutionId: institution?.id ?? row.institutionId,
});

/** The failures after which only a new link session can help. */
export const finalFailures: readonly LinkFailureReason[] = ['session_expired', 'cancelled', 'superseded'];

/** The failure reason of an error that a step or a job threw. */
export const toLinkFailureReason = (error: unknown): LinkFailureReason => {
  if (error instanceof BankRefused) return error.reason;
  if (error instanceof BankUnreachable)
    return error.reason === 'timeout' ? 'institution_timeout' : 'institution_down';
  return 'internal';
};

/** The step error of wrong credentials, which the end user corrects in the same form; undefined for other errors. */
export const toLinkStepError = (error: unknown): LinkStepError | undefined => {
  if (!(error instanceof BankRefused) || error.reason !== 'wrong_credentials') return undefined;
  return { reason: error.reason, attemptsLeft: error.attemptsLeft };
};

/** A connection of the same end user that has some of the accounts of a session. */
export type Duplicate = {
  connectionId: string;
  /** The bank's ids of these accounts. */
  accountIds: string[];
  /** Whether the login has all accounts of that connection. */
  canReconnect: boolean;
};

/** What a session keeps between steps. */
export type LinkSessionState = {
  /** The language of the page, as a BCP 47 tag. */
  language?: string;
  /** What the end user has agreed to in this session. */
  consent?: AcceptedConsent;
  institution?: { id: string; name: string };
  values?: Credentials;
  /** When the values were submitted (real time). */
  signInAt?: string;
  deviceToken?: string;
  challengeState?: string;
  challenge?: Challenge;
  /** Of a redirect: the state with which the end user returns. */
  returnState?: string;
  /** How many actions of challenges this sign-in has used. */
  challengeActions?: number;
  access?: string;
  accounts?: BankAccount[];
  /** The bank's ids of the selected accounts. */
  accountIds?: string[];
  /** Of the selected accounts, if the end user was asked whether to share them again. */
  duplicate?: Duplicate;
  error?: LinkStepError;
  /** The secret of a new end user, in base64url. It becomes the scoped token unless an end user is reused. */
  userSecret?: string;
};

/** A completed sign-in. */
export type SignedIn = Pick<LinkSessionState, 'institution' | 'values' | 'access' | 'deviceToken'>;

/**
 * What the worker needs for an import, sealed to its public key. It is deleted when the import ends. The worker believes
 * this request and not the rows of the session and the job, which whoever can write the database could change.
 */
export type ImportRequest = Pick<
  Job,
  'connectionId' | 'endUserId' | 'applicationId' | 'organizationId' | 'environment' | 'kind'
> & {
  externalUserId: string | null;
  /** What the end user has agreed to; none where a reconnect did not ask. */
  consent?: AcceptedConsent;
  /** The key that the result is sealed to, which derives from the secret of the page, in base64url. */
  pagePublicKey: string;
  institution: { id: string; name: string };
  values: Credentials;
  deviceToken?: string;
  access: string;
  /** All accounts that the login has, and the bank's ids of the selected ones. */
  accounts: BankAccount[];
  accountIds: string[];
  /** The end user was asked, and shares accounts again. */
  isRepeated: boolean;
  /** The public key of the end user that may become new, in base64url. */
  publicKey: string;
};

/** The result that the worker seals to the page. The page's process adds the scoped token. */
export type SealedLinkResult = Omit<LinkResult, 'scopedToken' | 'linkSessionId'> & { newEndUserId?: string };

/** A session whose secret was presented, so that its state and its result can be unsealed. */
export type OpenLinkSession = {
  row: LinkSessionRow;
  application: { id: string; name: string; logoHash: string | null; color: string | null } & ClockId;
  /** Derives the key that the page's result is sealed to. */
  derivePublicKey(): Buffer;
  savedState: LinkSessionState;
  /** Seals the state, of a session that reconnects where a connection is named. */
  sealState(state: LinkSessionState, reconnectConnectionId?: string | null): Buffer;
  openResult(): SealedLinkResult;
  /** The query that the end user has returned with from the institution's own page, if they have. */
  openReturn(): string | undefined;
  /** The same session with a row that was read later. */
  reopen(row: LinkSessionRow): OpenLinkSession;
};

/** The part of a session's state that every step keeps. */
export const lastingState = ({ savedState: { language, consent } }: OpenLinkSession): LinkSessionState => ({
  language,
  consent,
});

/** A new secret, with the hash of it that the database stores. */
export const makeLinkSessionSecret = () => {
  const secret = makeSecret();
  return {
    text: secret.toString('base64url'),
    hash: hashSecret(secret),
    seal: (state: LinkSessionState, session: SealedSession): Buffer => sealState(state, session, secret),
  };
};

const hashSecret = (secret: Buffer): string =>
  deriveKey(secret, 'link session secret hash v1').toString('base64url');

const stateKey = (secret: Buffer): Buffer => deriveKey(secret, 'link session state v1');

/** The columns that the state is bound to: changed ones would lead the link to another application or end user. */
type SealedSession = Pick<
  LinkSessionRow,
  'id' | 'applicationId' | 'externalUserId' | 'reconnectConnectionId' | 'origin'
>;

const stateBinding = (session: SealedSession): AssociatedData => {
  const { id, applicationId, externalUserId, reconnectConnectionId, origin } = session;
  // JSON, because an external user id may contain any text.
  return ['link session', JSON.stringify([id, applicationId, externalUserId, reconnectConnectionId, origin])];
};

const sealState = (state: LinkSessionState, session: SealedSession, secret: Buffer): Buffer =>
  seal(JSON.stringify(state), stateKey(secret), stateBinding(session));

/** Opens a session with its secret; undefined when the secret is wrong. */
export const openLinkSession = (
  row: LinkSessionRow,
  application: OpenLinkSession['application'],
  secretText: string,
): OpenLinkSession | undefined => {
  const secret = Buffer.from(secretText, 'base64url');
  if (secret.length !== 32 || secret.toString('base64url') !== secretText) return undefined;
  if (!constantTimeEqual(Buffer.from(hashSecret(secret)), Buffer.from(row.secretHash))) return undefined;
  const openForPage = (sealed: Buffer) => JSON.parse(unsealBox(deriveKeyPair(secret), sealed).toString());
  return {
    row,
    application,
    savedState: row.stateSealed
      ? {
          ...JSON.parse(unseal(row.stateSealed, stateKey(secret), stateBinding(row))),
          ...(row.state !== 'finished' && row.resultSealed && openForPage(row.resultSealed)),
        }
      : {},
    sealState: (state, reconnectConnectionId = row.reconnectConnectionId) =>
      sealState(state, { ...row, reconnectConnectionId }, secret),
    derivePublicKey: () => deriveKeyPair(secret).publicKey,
    openReturn: () =>
      row.returnSealed ? unsealBox(deriveKeyPair(secret), row.returnSealed).toString() : undefined,
    openResult: () => openForPage(row.resultSealed!),
    reopen: (laterRow) => openLinkSession(laterRow, application, secretText)!,
  };
};

/** Seals a result, or what the session goes on with after a failure, to the page that has the session's secret. */
export const sealForPage = (
  result: SealedLinkResult | LinkSessionState,
  { pagePublicKey }: ImportRequest,
): Buffer => sealBox(Buffer.from(pagePublicKey, 'base64url'), Buffer.from(JSON.stringify(result)));

/** When a session expires unless it takes another step (ISO 8601, real time). */
export const linkSessionExpiry = ({ clock, limits }: { clock: Clock; limits: Limits }): string =>
  addMilliseconds(clock.real(), seconds(limits.linkSessionMinutes * 60)).toISOString();

export type LinkingDeps = {
  db: Database;
  clock: Clock;
  limits: Limits;
  /** The address of the service, to which institutions return end users. */
  baseUrl: string;
  /** The company that runs the service, if it has set its name. */
  operator: Company | undefined;
  registry: Registry;
  /** Limits sign-ins at institutions; `hashKeys` hash the logins that it counts. */
  rateLimiter: RateLimiter;
  hashKeys: Keyset<Buffer>;
  /** Counts the sign-ins over an application's limit. */
  metrics: MetricsRecorder;
  /** Seal import requests to the worker. */
  workerPublicKeys: Keyset<PublicKey>;
  /** Verify what the worker has signed. */
  signingPublicKeys: Keyset<PublicKey>;
  /** Applications' keys for signed external user ids are derived from these secrets. */
  identityServiceSecrets: Keyset<Buffer>;
  /** Tells a worker in this process that a job was queued. */
  wakeWorker(): void;
  /** Logs an unexpected error with the link session's id; the error contains nothing that the end user typed. */
  reportError(linkSessionId: string, error: unknown): void;
};
