// Logs and counts the attempts to deliver events: ids, types and codes, never a URL or a body.
import type { Log } from '../../platform/telemetry/log.ts';
import type { DeliveryLog, DeliveryResult } from './deliver.ts';

/** The counters for Prometheus, if enabled. */
export type DeliverySignals = { delivery(state: DeliveryResult['state']): void };

export const makeDeliveryLog = (log: Log, signals: DeliverySignals | undefined): DeliveryLog => ({
  attempted: ({ endpointId, eventId, type }, result) => {
    const attempt = { endpointId, eventId, type, ...result };
    signals?.delivery(result.state);
    if (result.state === 'delivered') log.info(attempt, 'webhook delivered');
    else log.warn(attempt, 'webhook not delivered');
  },
  failed: (err) => log.warn({ err }, 'webhooks not delivered'),
});
