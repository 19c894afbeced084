// Dependencies for delivering webhooks. The worker's keys open the endpoints, so code that handles requests never imports this.
import { makeGuardedSender } from '../../../connectors/kit/guardedRequest.ts';
import type { Log } from '../../platform/telemetry/log.ts';
import type { Clock } from '../../platform/values/clock.ts';
import { CorruptData } from '../../platform/values/errors.ts';
import type { KeyPair } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import { unsealForWorker } from '../../platform/vault/workerBoxes.ts';
import type { DeliveryDeps, DeliveryLog, DeliveryResult, OpenEndpoint } from './deliver.ts';
import type { EndpointDeps, SealedEndpoint } from './endpoints.ts';
import { makeWebhookSender } from './sendWebhook.ts';

/** Opens endpoints with the worker's keys. Throws CorruptData if the endpoint or its application was changed. */
const makeOpenEndpoint =
  (workerKeys: Keyset<KeyPair>): OpenEndpoint =>
  ({ id, applicationId, secret, replacedSecret, replacedSecretExpiresAt: expiresAt }, now) => {
    const open = (sealed: Buffer): SealedEndpoint => {
      const opened = unsealForWorker<SealedEndpoint>(sealed, ['webhookEndpoint', id], workerKeys);
      if (opened.applicationId === applicationId) return opened;
      throw new CorruptData('The application of a webhook endpoint was changed.');
    };
    const current = open(secret);
    const isReplacedValid = replacedSecret !== null && expiresAt !== null && expiresAt > now.toISOString();
    const secrets = [current, ...(isReplacedValid ? [open(replacedSecret)] : [])];
    return { url: current.url, secrets: secrets.map((one) => one.secret) };
  };

/** The dependencies of `startDelivering` in a process with the worker's keys. */
export const makeDeliveryDeps = (
  deps: EndpointDeps & { clock: Clock; log: Log; signals: DeliverySignals | undefined },
  workerKeys: Keyset<KeyPair>,
): DeliveryDeps => ({
  ...deps,
  open: makeOpenEndpoint(workerKeys),
  send: makeWebhookSender(makeGuardedSender(deps.isAllowed)),
  log: makeDeliveryLog(deps.log, deps.signals),
});

/** The counters for Prometheus, if enabled. */
type DeliverySignals = { delivery(state: DeliveryResult['state']): void };

/** Logs and counts the attempts to deliver events: ids, types and codes, never a URL or a body. */
const makeDeliveryLog = (log: Log, signals: DeliverySignals | undefined): DeliveryLog => ({
  attempted: ({ endpointId, eventId, type }, result) => {
    const attempt = { endpointId, eventId, type, ...result };
    signals?.delivery(result.state);
    if (result.state === 'delivered') log.info(attempt, 'webhook delivered');
    else log.warn(attempt, 'webhook not delivered');
  },
  failed: (err) => log.warn({ err }, 'webhooks not delivered'),
});
