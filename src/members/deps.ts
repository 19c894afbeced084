// The dependencies of the members module.
import type { Clock } from '../clock.ts';
import type { Limits } from '../config.ts';
import type { Database } from '../db/open.ts';
import type { BackgroundTasks } from './backgroundTasks.ts';

export type MemberDeps = {
  db: Database;
  clock: Clock;
  limits: Limits;
  baseUrl: string;
  backgroundTasks: BackgroundTasks;
};
