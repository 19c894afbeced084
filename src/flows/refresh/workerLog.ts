// Logs and counts the worker's jobs: ids, kinds and times, never a bank's response.
import type { MetricsRecorder } from '../../domain/requestLog/recorder.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import { FingerprintKeyLost } from '../../platform/values/errors.ts';
import type { Absences, ClaimedJob, JobDeps } from './jobs.ts';
import type { WorkerLog } from './worker.ts';

type Outcome = 'succeeded' | 'refused' | 'failed';
/** The counters for Prometheus, if enabled. */
type JobSignals = {
  job(sample: ClaimedJob & { outcome: Outcome; milliseconds: number }): void;
  absences(institutionId: string, absences: Absences): void;
};

export const makeWorkerLog = (
  log: Log,
  metrics: MetricsRecorder,
  signals: JobSignals | undefined,
): WorkerLog & Pick<JobDeps, 'reportAbsences'> => {
  const observe = (job: ClaimedJob, outcome: Outcome, milliseconds: number): void => {
    const { applicationId, institutionId: subject, kind } = job;
    signals?.job({ ...job, outcome, milliseconds });
    if (kind === 'refresh')
      metrics.observe({ applicationId, kind: 'institution', subject, outcome, milliseconds });
  };
  const failed: WorkerLog['failed'] = (job, err, milliseconds) => {
    const { connectionId, kind } = job;
    log.warn({ connectionId, kind, err }, 'job failed');
    observe(job, 'failed', milliseconds);
  };
  return {
    done: (job, milliseconds, outcome) => {
      if (outcome === 'key_lost') return failed(job, new FingerprintKeyLost(), milliseconds);
      const { connectionId, kind } = job;
      const isSkipped = outcome === 'skipped';
      log.info({ connectionId, kind, milliseconds }, isSkipped ? 'job skipped' : 'job done');
      if (!isSkipped) observe(job, outcome === 'refused' ? 'refused' : 'succeeded', milliseconds);
    },
    failed,
    dropped: ({ connectionId, kind }) => log.info({ connectionId, kind }, 'job dropped'),
    reportAbsences: ({ connectionId, institutionId }, absences) => {
      if (absences.withdrawn + absences.doubted === 0) return;
      log.warn({ connectionId, ...absences }, 'transactions missing at the bank');
      signals?.absences(institutionId, absences);
    },
    queueFailed: (err) => log.warn({ err }, 'job queue failed'),
  };
};
