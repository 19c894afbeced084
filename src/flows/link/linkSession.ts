// The states of a link session, with the data and the allowed steps of each. The data is sealed under a key derived from the
// session's secret, which only the widget's page has (sealedSession.ts). Any process can therefore run the next step, and a
// stolen database reveals nothing.
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

/** The states to which a step that queries the bank can lead. */
const bankAnswers = ['challenge', 'accounts', 'importing', 'credentials', 'failed'] as const;
/** A bank may send a challenge before it returns transactions. */
const bankApproves = ['importing', 'challenge', 'failed'] as const;

/**
 * Read this first: the steps that each state allows, and the states to which each can lead. A reconnecting session cannot go
 * back to choosing an institution; it starts at the consent only if the current text was not accepted for the connection.
 * Changes that are not steps, such as the end of an import, are in `transitions` of store.ts.
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
  /** When the bank's consent ends (ISO 8601); undefined if the bank does not report it. */
  expiresAt: string | undefined;
  /** The time (ISO 8601) until which the bank returns the full history; undefined if there is no limit. */
  historyUntil: string | undefined;
  /** The row used to revoke the consent if nobody completes the session. */
  revocationId: string | undefined;
};

/** A connection of the same end user that has some of the session's accounts. */
export type Duplicate = {
  connectionId: string;
  /** The bank's ids of these accounts. */
  accountIds: string[];
  /** True if the login has all of that connection's accounts. */
  canReconnect: boolean;
};

/** The data of a session in each state. */
export type LinkState =
  /** Only a reconnecting session already has its institution. */
  | { at: 'consent'; institution: SelectedInstitution | undefined }
  | { at: 'institution' }
  | { at: 'credentials'; institution: SelectedInstitution; error: LinkStepError | undefined }
  | {
      at: 'challenge';
      institution: SelectedInstitution;
      values: Credentials;
      /** When the sign-in was submitted (real time). */
      signInAt: string;
      challenge: Challenge;
      challengeState: string;
      /** The number of challenge actions that this sign-in has used. */
      actions: number;
      /** The data to import after the answer; undefined during a sign-in. */
      reading: PendingImport | undefined;
      /** Only for a redirect: the state that the end user returns with. */
      returnState: string | undefined;
      error: LinkStepError | undefined;
    }
  /** `asked`: the selected accounts are already shared, and the end user is asked whether to share them again. */
  | (SignedIn & {
      at: 'accounts';
      accounts: BankAccount[];
      asked: { accountIds: string[]; duplicate: Duplicate } | undefined;
      /** When accounts are selected again, the bank's ids of those that the connection shares. */
      sharedIds: string[] | undefined;
    })
  /** The secret of a new end user, in base64url. It becomes the scoped token unless an existing end user is reused. */
  | { at: 'importing'; institution: SelectedInstitution; userSecret: string }
  | { at: 'finished'; institution: SelectedInstitution; userSecret: string; result: SealedLinkResult }
  | { at: 'failed'; institution: SelectedInstitution | undefined; signedIn: SignedIn | undefined }
  /** Nothing is kept: the result was acknowledged, or the session was cancelled or lost its job. */
  | { at: 'ended' };

export type In<At extends LinkSessionStatus> = Extract<LinkState, { at: At }>;

/** The data of a session in all of its states. */
export type Kept = {
  /** The page's language, as a BCP 47 tag. */
  language: string | undefined;
  /** The consent that the end user accepted in this session. */
  consent: AcceptedConsent | undefined;
  /** Set if a reconnecting session shows the account selection again. */
  selectsAccounts?: true;
};

/** A session's states, in order. */
const statesInOrder: readonly LinkSessionStatus[] = [
  'consent',
  'institution',
  'credentials',
  'challenge',
  'accounts',
  'importing',
  'finished',
];

/** The position of a state in that order; negative for any other state. */
export const rankOf = (state: LinkSessionStatus): number => statesInOrder.indexOf(state);

/** The columns for statistics after a step: the furthest state, and the last selected institution. */
export const statisticsOf = (
  row: Pick<LinkSessionRow, 'reached' | 'institutionId'>,
  state: LinkState,
): Pick<LinkSessionRow, 'reached' | 'institutionId'> => ({
  reached: rankOf(state.at) > rankOf(row.reached) ? (state.at as LinkSessionRow['reached']) : row.reached,
  institutionId: selectedIn(state)?.id ?? row.institutionId,
});

/** The institution selected in a state. */
export const selectedIn = (state: LinkState): SelectedInstitution | undefined =>
  'institution' in state ? state.institution : undefined;

/** The failures after which only a new link session can help. */
export const finalFailures: readonly LinkFailureReason[] = ['session_expired', 'cancelled', 'superseded'];

/** The failure reason for an error from a step or a job. */
export const toLinkFailureReason = (error: unknown): LinkFailureReason => {
  // A new sign-in creates a new consent.
  if (error instanceof BankRefused)
    return error.reason === 'consent_expired' ? 'user_action_required' : error.reason;
  if (error instanceof BankUnreachable) {
    const { reason } = error;
    // To an end user, a bank that refuses or rate-limits the service is the same as one that is down.
    return reason === 'timeout' || reason === 'incomplete' ? `institution_${reason}` : 'institution_down';
  }
  return 'internal';
};

/** Incremented when the import request changes. A worker leaves a newer request to a worker of that version. */
export const importRequestVersion = 3;

/**
 * The worker's input for an import, sealed to its public key and deleted when the import ends. The worker trusts this request
 * and not the rows of the session and the job, because anyone with write access to the database could change those.
 */
export type ImportRequest = Pick<
  Job,
  'connectionId' | 'endUserId' | 'applicationId' | 'organizationId' | 'environment' | 'kind'
> &
  Selection & {
    v: number;
    externalUserId: string | null;
    /** The end user, who waits for the import. */
    user: PresentUser | undefined;
    /** The accepted consent; undefined if a reconnect did not ask for one. */
    consent: AcceptedConsent | undefined;
    /** The key that the result is sealed to, derived from the page's secret, in base64url. */
    pagePublicKey: string;
    /** The public key, in base64url, of the end user who may be created. */
    publicKey: string;
  };

/** The import's sign-in and its accounts. */
export type Selection = SignedIn & {
  /** All accounts of the login, and the bank's ids of the selected ones; a reconnect uses those of its connection. */
  accounts: BankAccount[];
  accountIds: string[];
  /** True if the end user confirmed sharing accounts again. */
  isRepeated: boolean;
  /** Only for a reconnect with account selection: `asked` before the end user chooses, `made` after. */
  choice?: 'asked' | 'made';
};

/** The import of a selection, or the reconnect of a connection with it. */
export type PendingImport = { import: Selection; reconnectConnectionId: string | null };

/** The result that the worker seals to the page. The process that serves the page adds the scoped token. */
export type SealedLinkResult = Omit<LinkResult, 'scopedToken' | 'linkSessionId'> & { newEndUserId?: string };

/** A session opened with its secret. */
export type OpenLinkSession = {
  row: LinkSessionRow;
  application: { id: string; name: string; logoHash: string | null; color: string | null } & ClockId;
  kept: Kept;
  state: LinkState;
  /** Derives the key that the page's result is sealed to. */
  derivePagePublicKey(): Buffer;
  /** Seals the session's new data, bound to the connection that it reconnects, if any. */
  seal(state: LinkState, kept?: Kept, reconnectConnectionId?: string | null): Buffer;
  /** The query of the institution's redirect; undefined until the end user returns. */
  openReturn(): string | undefined;
  /** The same session with a row read later. */
  reopen(row: LinkSessionRow): OpenLinkSession;
};

/** When a session without further steps expires (ISO 8601, real time). */
export const linkSessionExpiry = ({ clock, limits }: { clock: Clock; limits: Limits }): string =>
  addMilliseconds(clock.real(), seconds(limits.linkSessionMinutes * 60)).toISOString();

export type LinkingDeps = {
  db: Database;
  clock: Clock;
  limits: Limits;
  /** The service's URL, to which institutions return end users. */
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
  /** Verify the worker's signatures. */
  signingPublicKeys: Keyset<PublicKey>;
  /** Applications' keys for signed external user ids are derived from these secrets. */
  identityServiceSecrets: Keyset<Buffer>;
  /** Notifies a worker in this process that a job was queued. */
  wakeWorker(): void;
  /** Reports an internal error of a link session. */
  reportError(linkSessionId: string, error: unknown): void;
};
