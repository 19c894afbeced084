// What linking depends on in the process that serves the widget. None of it can unseal stored bank data.
import type { Clock } from '../clock.ts';
import type { Limits } from '../config.ts';
import type { Registry } from '../connectors/registry.ts';
import type { Database } from '../db/open.ts';

export type LinkingDeps = {
  db: Database;
  clock: Clock;
  limits: Limits;
  registry: Registry;
  workerPublicKey: Buffer;
  /** Applications' keys for signed external user ids are derived from this secret. */
  serviceSecret: Buffer;
  /** Tells a worker in this process that a job was queued. */
  wakeWorker(): void;
  /** Logs an unexpected error with the link session's id; the error contains nothing that the end user typed. */
  reportError(linkSessionId: string, error: unknown): void;
};
