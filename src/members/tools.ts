// What the rooms of the members work with.
import type { Clock } from '../clock.ts';
import type { Limits } from '../config.ts';
import type { Database } from '../db/open.ts';
import type { Afterwards } from './afterwards.ts';

export type MemberTools = {
  db: Database;
  clock: Clock;
  limits: Limits;
  baseUrl: string;
  afterwards: Afterwards;
};
