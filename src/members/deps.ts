// The dependencies of the members module.
import type { Clock } from '../clock.ts';
import type { Database } from '../db/open.ts';
import type { Limits } from '../settings/limits.ts';
import type { Keyset } from '../vault/keyset.ts';
import type { BackgroundTasks } from './backgroundTasks.ts';

export type MemberDeps = {
  db: Database;
  clock: Clock;
  limits: Limits;
  /** Hash the emails and addresses whose failed sign-ins are counted. */
  hashKeys: Keyset<Buffer>;
  baseUrl: string;
  backgroundTasks: BackgroundTasks;
};
