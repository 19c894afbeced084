// What happens in a process and is counted for Prometheus.
import type { JobKind } from '../refresh/jobs.ts';

/** What is counted while it happens. */
export type Signals = {
  request(sample: { operation: string | undefined; status: number; milliseconds: number }): void;
  job(sample: { kind: JobKind; institutionId: string; outcome: string; milliseconds: number }): void;
  delivery(outcome: string): void;
  /** All metrics of this process. */
  text(): Promise<string>;
};
