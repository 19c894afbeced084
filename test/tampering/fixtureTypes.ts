// The contents of the database of the tampering tests, and the limits of its services.
import type { Authenticator } from '../http/dashboard/authenticator.ts';
import type { DashboardUser } from '../http/dashboard/users.ts';
import type { DatabaseKind, TestDatabase } from '../support/databases.ts';
import { type LinkOptions, type TestApplication, testLimits } from '../support/testService.ts';
import type { Banks } from './banks.ts';
import type { Row } from './rawDatabase.ts';
import type { Webhooks } from './webhooks.ts';

/** A refresh is due after an hour, and a full one 90 minutes after the last. Link sessions outlast the longest run. */
export const limits = {
  ...testLimits,
  leaseSeconds: 30,
  refreshEveryHours: 1,
  fullRefreshDays: 1.5 / 24,
  linkSessionMinutes: 600,
  deliveryMinutes: 600,
  importRetrySeconds: 0.05,
  // The next attempt for lagging accounts is due only after a run has moved the clock.
  retryInitialSeconds: 600,
  workerPollMs: 20,
  sandboxClockPollMs: 50,
  webhookPollMs: 20,
  // Processes share counts above one percent of a limit through the table.
  apiRequestsPerMinute: 3000,
};

/** Names that occur in no random id. */
export const organizationNames = ['Acmecorp', 'Globexinc'] as const;
export type OrganizationName = (typeof organizationNames)[number];

export type LinkedConnection = { id: string; accountIds: string[] };

/** An end user; `name` is part of all their data. */
export type User = {
  name: string;
  organization: OrganizationName;
  application: TestApplication;
  endUserId: string;
  scopedToken: string;
  /** The URL of a SimpleFIN access to all accounts. Another access is unclaimed. */
  accessUrl: string;
  secret: Buffer;
  connections: LinkedConnection[];
};

export type FixtureMember = {
  email: string;
  user: DashboardUser;
  authenticator: Authenticator;
  /** For the passkey being added. */
  newAuthenticator: Authenticator;
};

/** An unfinished link session; `user` owns it. */
export type Session = { name: string; user: string; id: string; secret: string; options: LinkOptions };

export type Organization = {
  name: OrganizationName;
  id: string;
  production: TestApplication;
  sandbox: TestApplication;
  owner: FixtureMember;
  /** An organization token, which reads and moves the sandbox's clock. */
  token: string;
  invitation: string;
  resetToken: string;
  /** A registration of a passkey that waits for the authenticator. */
  newPasskey: { challengeId: string; challenge: string };
};

export type Fixture = {
  kind: DatabaseKind;
  database: TestDatabase;
  secretsDir: string;
  port: number;
  banks: Banks;
  webhooks: Webhooks;
  organizations: Organization[];
  users: User[];
  sessions: Session[];
  /** The time when the fixture was finished, at which each change happens. */
  at: number;
  /** The rows of all tables three hours earlier. */
  before: Map<string, Row[]>;
  /** All ids in the database. */
  ids: Set<string>;
  close(): Promise<void>;
};
