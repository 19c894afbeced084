// The connector's opaque strings: access, challenge state and device token. Each contains everything that another process needs,
// including the credentials, because every message is signed with the PIN. The service seals them.
import { BankRefused } from '@bank-connection/connector-kit';
import type { FintsAccount } from './accounts.ts';
import type { BankParameters } from './bankParameters.ts';
import type { Days, FirstPage } from './firstPage.ts';
import type { TanMedium, TanMethod } from './tanMethods.ts';

/** The bank's ids for an end user. Without a customer id, the user id serves as both. */
export type UserIds = { userId: string; customerId?: string };

/** `typed` is the end user's input; absent until the bank replaces the ids. */
export type Login = UserIds & { institutionId: string; pin: string; typed?: UserIds };

/**
 * The bank's data about an end user after the first sign-in. Without a method, the bank accepts the PIN alone: it uses no strong
 * authentication in FinTS.
 */
export type Device = {
  systemId: string;
  method?: TanMethod;
  medium?: string;
  renamed?: Renamed;
  /** The bank wanted a TAN for a statement of the last 89 days. */
  asksForStatements?: true;
};

/** The bank replaced the `typed` ids with `ids`. */
export type Renamed = { typed: UserIds; ids: UserIds };

/** An open dialog: its id at the bank, and the number of the last message. */
export type DialogState = { id: string; messageNumber: number };

export type Access = {
  login: Login;
  device: Device;
  parameters: BankParameters;
  accounts: FintsAccount[];
  /**
   * The open dialog. `isApproved`: with a TAN, so the bank shows transactions older than 90 days. `isAttended`: the end user was
   * present, so time may have passed.
   */
  dialog?: DialogState & { isApproved: boolean; isAttended: boolean };
  /** The responses to the first orders before the import, by account id; absent if the end user could not be asked. */
  firstAnswers?: Record<string, FirstAnswer>;
};

/**
 * The response to the first order of a statement. `isAsked`: the bank wanted a TAN. `first` is absent if it was too long or not
 * received.
 */
export type FirstAnswer = { isAsked: boolean; first?: FirstPage };

/** The methods and media for the end user to choose from. */
export type Choices = {
  systemId: string;
  parameters: BankParameters | undefined;
  methods: TanMethod[];
  media?: TanMedium[];
};

/** A dialog that waits for a TAN or an approval. */
export type PendingTan = {
  device: Device;
  dialog: DialogState;
  orderReference: string;
  /** The number of polls for the approval so far. */
  polls: number;
};

/** The parameters, accounts and ids from a dialog's first responses. */
export type Told = {
  parameters: BankParameters | undefined;
  accounts: FintsAccount[];
  newIds?: UserIds;
};

/** The accounts whose statements are requested before an import; those before `index` are done. */
export type Approval = { access: Access; accountIds: string[]; index: number };

export type ChallengeState = { login: Login; choices?: Choices } & (
  | { step: 'method' }
  | { step: 'medium'; method: TanMethod }
  | { step: 'tan'; pending: PendingTan; challenge: StoredChallenge; about: TanSubject }
);

/** The purpose of a TAN: a sign-in, or an account's statement for these days. */
export type TanSubject = { told: Told } | { approval: Approval; range: Days };

/** The bank's question, without its actions. `isApproval`: the end user approves on another device. */
export type StoredChallenge = { text: string; image?: string; isApproval: boolean };

type Kinds = { access: Access; challenge: ChallengeState; device: Device };

export const encodeState = <Kind extends keyof Kinds>(kind: Kind, value: Kinds[Kind]): string =>
  JSON.stringify({ fints: kind, ...value });

/** Undefined unless the text was encoded as this kind. */
export const decodeState = <Kind extends keyof Kinds>(kind: Kind, text: string): Kinds[Kind] | undefined => {
  try {
    const { fints, ...value } = JSON.parse(text);
    return fints === kind ? value : undefined;
  } catch {
    return undefined;
  }
};

/** Throws BankRefused('user_action_required') unless the text was encoded as this kind. */
export const requireState = <Kind extends keyof Kinds>(kind: Kind, text: string): Kinds[Kind] => {
  const value = decodeState(kind, text);
  if (value === undefined) throw new BankRefused('user_action_required');
  return value;
};
