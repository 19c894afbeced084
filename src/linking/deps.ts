// What linking works with. The door that the page talks to has no key that opens anything stored.
import type { Registry } from '../connectors/registry.ts';
import type { Clock } from '../clock.ts';
import type { Limits } from '../config.ts';
import type { Database } from '../db/open.ts';

export type LinkingDeps = {
  db: Database;
  clock: Clock;
  limits: Limits;
  registry: Registry;
  workerPublicKey: Buffer;
  /** Signed users are known by secrets that follow from this one. */
  serviceSecret: Buffer;
  /** An import was queued: a worker in this process may look at once. */
  wakeWorker(): void;
  /** Something failed that should not; the session's id and the error, never what the user typed. */
  reportError(sessionId: string, error: unknown): void;
};
