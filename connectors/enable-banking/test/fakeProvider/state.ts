// The state of the fake provider: its banks, the authorizations that wait for a user, and the sessions.
import type { FakeAccount } from './account.ts';
import type { FakeBank } from './bank.ts';
import type { OperationId, Schemas } from './contract.ts';

/** A received request, in the record of its user. */
export type FakeRequest = {
  at: Date;
  operationId: OperationId;
  /** The parameters of the path and of the query. */
  parameters: Record<string, string>;
  /** The headers about the user, by their names in lower case. */
  psuHeaders: Record<string, string>;
  body: unknown;
  /** The status of the response; 0 if there was none. */
  status: number;
  /** Undefined if the request belongs to no user, such as one for the directory. */
  user?: string;
  account?: FakeAccount;
};

export type Authorization = {
  bank: FakeBank;
  request: Schemas['AuthorizationRequest'];
  psuType: Schemas['PsuType'];
  user?: string;
  code?: string;
  isUsed?: true;
};

export type SessionEnd = 'EXPIRED_SESSION' | 'CLOSED_SESSION' | 'REVOKED_SESSION' | 'SESSION_DOES_NOT_EXIST';

export type SessionAccount = {
  uid: string;
  account: FakeAccount;
  /** The times at which each endpoint was read without the user, in milliseconds since 1970. */
  reads: Map<OperationId, number[]>;
  /** The next pages by their keys. */
  pages: Map<string, Page>;
};

/** One of the pages of `rows`, and the parameters of the first one. */
export type Page = { rows: Schemas['Transaction'][][]; index: number; asked: string };

export type Session = {
  id: string;
  bank: FakeBank;
  user: string;
  psuType: Schemas['PsuType'];
  createdAt: Date;
  validUntil: Date;
  endedBy?: SessionEnd;
  accounts: SessionAccount[];
};

export type State = {
  now(): Date;
  banks: readonly FakeBank[];
  application: Schemas['Application'];
  /** The host and the port of the banks' pages. */
  pageHost: string;
  authorizations: Map<string, Authorization>;
  sessions: Map<string, Session>;
};
