// Members: the users of the dashboard, with a role in each of their organizations.

import type { Database } from '../../platform/db/open.ts';
import type { MemberRow, MemberSessionRow, MembershipRow } from '../../platform/db/tables.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import type { Clock } from '../../platform/values/clock.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';

/** From the most to the least powerful. */
export const roles = ['owner', 'developer', 'viewer'] as const satisfies MembershipRow['role'][];
export type Role = MembershipRow['role'];

/** True if `role` is the required role or a more powerful one. */
export const hasRole = (role: Role, required: Role): boolean =>
  roles.indexOf(role) <= roles.indexOf(required);

export type Member = MemberRow;

export type SignInMethod = MemberSessionRow['method'];

/** A request's IP address and browser name. */
export type ClientInfo = { clientIp: string; browser: string };

/** Emails are stored and compared in NFC, lower case, without surrounding spaces. */
export const normalizeEmail = (email: string): string => email.trim().normalize('NFC').toLowerCase();

export type MemberDeps = {
  db: Database;
  clock: Clock;
  limits: Limits;
  /** Hash the emails and IP addresses whose failed sign-ins are counted. */
  hashKeys: Keyset<Buffer>;
  baseUrl: string;
  backgroundTasks: BackgroundTasks;
};

export type BackgroundTasks = {
  /** Tracks a running task and passes its failure to `onFailure`. */
  start(task: Promise<void>): void;
  /** Waits for all tasks. */
  drain(): Promise<void>;
};

export const makeBackgroundTasks = (onFailure: (error: unknown) => void): BackgroundTasks => {
  const running = new Set<Promise<void>>();
  return {
    start: (task) => {
      const tracked = task.catch(onFailure).finally(() => running.delete(tracked));
      running.add(tracked);
    },
    drain: async () => {
      await Promise.all(running);
    },
  };
};
