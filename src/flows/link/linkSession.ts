// A link session: its states, what each keeps, and the steps that each allows. What is kept is sealed under a key derived
// from the session's secret, which only the widget's page has (sealedSession.ts). So any process can run the next step, and
// a stolen database reveals nothing.
import type { BankAccount, Challenge, Credentials, PresentUser } from '../../../connectors/kit/contract.ts';
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
import type { PublicKey } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';

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

/** Where a step that asks the bank can lead. */
const bankAnswers = ['challenge', 'accounts', 'importing', 'credentials', 'failed'] as const;
/** A bank may ask before it gives transactions. */
const bankApproves = ['importing', 'challenge', 'failed'] as const;

/**
 * Read this first: the steps that each state allows, and the states to which each can lead. A session that reconnects cannot
 * go back to choosing an institution; it begins at the consent only if the connection has none of the text as it reads now. The
 * changes that are no step, such as the end of an import, are in `transitions` of store.ts.
 */
export const linkSteps = {
  consent: { consent: ['institution', 'credentials'] },
  institution: { selectInstitution: ['credentials'], back: ['consent'] },
  credentials: { credentials: bankAnswers, back: ['institution'] },
  challenge: {
    answer: bankAnswers,
    challengeAction: bankAnswers,
    returned: bankAnswers,
    back: ['credentials', 'accounts'],
  },
  accounts: { selectAccounts: bankApproves, reconnect: bankApproves, back: ['institution'] },
  importing: {},
  finished: {},
  failed: { retry: ['credentials', 'institution', 'accounts', 'importing', 'failed'] },
  ended: {},
} as const satisfies Record<LinkSessionStatus, { [Kind in LinkStepKind]?: readonly LinkSessionStatus[] }>;

type SelectedInstitution = { id: string; name: string };

/** A completed sign-in. It is kept after a failure, because a code works only once. */
export type SignedIn = {
  institution: SelectedInstitution;
  values: Credentials;
  access: string;
  deviceToken: string | undefined;
  /** When the consent that was given ends, if the bank says it (ISO 8601). */
  expiresAt: string | undefined;
  /** Until when the bank gives the whole history, if it does so for a while only (ISO 8601). */
  historyUntil: string | undefined;
  /** The row that gives the consent back if nobody completes the session. */
  revocationId: string | undefined;
};

/** A connection of the same end user that has some of the accounts of a session. */
export type Duplicate = {
  connectionId: string;
  /** The bank's ids of these accounts. */
  accountIds: string[];
  /** Whether the login has all accounts of that connection. */
  canReconnect: boolean;
};

/** What a session keeps in each state. */
export type LinkState =
  /** Only a session that reconnects has its institution already. */
  | { at: 'consent'; institution: SelectedInstitution | undefined }
  | { at: 'institution' }
  | { at: 'credentials'; institution: SelectedInstitution; error: LinkStepError | undefined }
  | {
      at: 'challenge';
      institution: SelectedInstitution;
      values: Credentials;
      /** When the values were submitted (real time). */
      signInAt: string;
      challenge: Challenge;
      challengeState: string;
      /** How many actions of challenges this sign-in has used. */
      actions: number;
      /** What is imported after the answer; undefined at a sign-in. */
      reading: PendingImport | undefined;
      /** Of a redirect: the state with which the end user returns. */
      returnState: string | undefined;
      error: LinkStepError | undefined;
    }
  /** `asked`: the selected accounts are shared already, and the end user is asked whether to share them again. */
  | (SignedIn & {
      at: 'accounts';
      accounts: BankAccount[];
      asked: { accountIds: string[]; duplicate: Duplicate } | undefined;
      /** Where accounts are chosen anew, the bank's ids of those that the connection shares. */
      sharedIds: string[] | undefined;
    })
  /** The secret of a new end user, in base64url. It becomes the scoped token unless an end user is reused. */
  | { at: 'importing'; institution: SelectedInstitution; userSecret: string }
  | { at: 'finished'; institution: SelectedInstitution; userSecret: string; result: SealedLinkResult }
  | { at: 'failed'; institution: SelectedInstitution | undefined; signedIn: SignedIn | undefined }
  /** Nothing is kept any more: the result was acknowledged, or the session was cancelled or has lost its job. */
  | { at: 'ended' };

export type In<At extends LinkSessionStatus> = Extract<LinkState, { at: At }>;

/** What a session keeps in all of its states. */
export type Kept = {
  /** Of the page, as a BCP 47 tag. */
  language: string | undefined;
  /** What the end user has agreed to in this session. */
  consent: AcceptedConsent | undefined;
  /** Whether a session that reconnects shows the choice of accounts again. */
  selectsAccounts?: true;
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
  state: LinkState,
): Pick<LinkSessionRow, 'reached' | 'institutionId'> => ({
  reached: rankOf(state.at) > rankOf(row.reached) ? (state.at as LinkSessionRow['reached']) : row.reached,
  institutionId: selectedIn(state)?.id ?? row.institutionId,
});

/** The institution that is selected in a state. */
export const selectedIn = (state: LinkState): SelectedInstitution | undefined =>
  'institution' in state ? state.institution : undefined;

/** The failures after which only a new link session can help. */
export const finalFailures: readonly LinkFailureReason[] = ['session_expired', 'cancelled', 'superseded'];

/** The failure reason of an error that a step or a job threw. */
export const toLinkFailureReason = (error: unknown): LinkFailureReason => {
  // A sign-in gives a new consent.
  if (error instanceof BankRefused)
    return error.reason === 'consent_expired' ? 'user_action_required' : error.reason;
  if (error instanceof BankUnreachable) {
    const { reason } = error;
    // An end user can do as little about a bank that refuses the service, or was asked too often, as about one that is down.
    return reason === 'timeout' || reason === 'incomplete' ? `institution_${reason}` : 'institution_down';
  }
  return 'internal';
};

/** Incremented when the import request changes. A worker leaves a newer one to a worker of its version. */
export const importRequestVersion = 3;

/**
 * What the worker needs for an import, sealed to its public key. It is deleted when the import ends. The worker believes
 * this request and not the rows of the session and the job, which whoever can write the database could change.
 */
export type ImportRequest = Pick<
  Job,
  'connectionId' | 'endUserId' | 'applicationId' | 'organizationId' | 'environment' | 'kind'
> &
  Selection & {
    v: number;
    externalUserId: string | null;
    /** They wait for the import. */
    user: PresentUser | undefined;
    /** What the end user has agreed to; none where a reconnect did not ask. */
    consent: AcceptedConsent | undefined;
    /** The key that the result is sealed to, which derives from the secret of the page, in base64url. */
    pagePublicKey: string;
    /** The public key of the end user that may become new, in base64url. */
    publicKey: string;
  };

/** What is to be imported: a sign-in, and which of its accounts. */
export type Selection = SignedIn & {
  /** All accounts that the login has, and the bank's ids of the selected ones; a reconnect takes those of its connection. */
  accounts: BankAccount[];
  accountIds: string[];
  /** The end user was asked, and shares accounts again. */
  isRepeated: boolean;
  /** The accounts of a reconnect: whether the end user is still to choose them, or has chosen them. */
  choice?: 'asked' | 'made';
};

/** The import of a selection, or the reconnect of a connection by it. */
export type PendingImport = { import: Selection; reconnectConnectionId: string | null };

/** The result that the worker seals to the page. The page's process adds the scoped token. */
export type SealedLinkResult = Omit<LinkResult, 'scopedToken' | 'linkSessionId'> & { newEndUserId?: string };

/** A session whose secret was presented, so that what it keeps could be opened. */
export type OpenLinkSession = {
  row: LinkSessionRow;
  application: { id: string; name: string; logoHash: string | null; color: string | null } & ClockId;
  kept: Kept;
  state: LinkState;
  /** Derives the key that the page's result is sealed to. */
  derivePublicKey(): Buffer;
  /** Seals what the session keeps from now on. A connection is named where the session reconnects it. */
  seal(state: LinkState, kept?: Kept, reconnectConnectionId?: string | null): Buffer;
  /** The query that the end user has returned with from the institution's own page, if they have. */
  openReturn(): string | undefined;
  /** The same session with a row that was read later. */
  reopen(row: LinkSessionRow): OpenLinkSession;
};

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
