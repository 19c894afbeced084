// The state of the fake provider: its banks, the authorizations waiting for a user, and the sessions.
import type { FakeAccount } from './account.ts';
import type { FakeBank } from './bank.ts';
import type { OperationId, Schemas } from './contract.ts';

/** A received request, recorded for its user. */
export type FakeRequest = {
  at: Date;
  operationId: OperationId;
  /** The path and query parameters. */
  parameters: Record<string, string>;
  /** The headers about the user, with lower-case names. */
  psuHeaders: Record<string, string>;
  body: unknown;
  /** The status of the response; 0 if there is none. */
  status: number;
  /** Undefined if the request concerns no user, such as one for the directory. */
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
  /** The times of unattended reads by endpoint, in milliseconds since 1970. */
  reads: Map<OperationId, number[]>;
  /** The next pages by key. */
  pages: Map<string, Page>;
};

/** One page of `rows`, and the parameters of the first request. */
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
  /** The host and port of the banks' pages. */
  pageHost: string;
  authorizations: Map<string, Authorization>;
  sessions: Map<string, Session>;
};
