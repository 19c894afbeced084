// Receives an application's events for a command that forwards them to a developer's machine. The command has its own endpoint
// while it runs. A crashed command's endpoint expires.

import { startLoop } from '../../platform/loops/loop.ts';
import { addMilliseconds, seconds } from '../../platform/values/clock.ts';
import type { Application } from '../applications/application.ts';
import { type DeliveryDeps, type DeliveryLoop, startDelivering } from './deliver.ts';
import { type EndpointDeps, makeEndpoint } from './endpoints.ts';
import * as store from './store.ts';

export type Listener = DeliveryLoop & { secret: string };

/** Delivers an application's events to `url`, whatever its IP address, until stopped. */
export const startListening = async (
  deps: EndpointDeps & Omit<DeliveryDeps, 'open'>,
  application: Application,
  url: string,
): Promise<Listener> => {
  const { db, clock, limits } = deps;
  const expiry = (): string =>
    addMilliseconds(clock.real(), seconds(limits.webhookListenerSeconds)).toISOString();
  const { id, secret } = await deps.workerPublicKeys.withCurrent(async ({ key }) => {
    const made = makeEndpoint(application.id, { url, now: clock.real() }, key);
    await store.insertEndpoint(db.write, { ...made.endpoint, listenerExpiresAt: expiry() });
    return { id: made.endpoint.id, secret: made.secret };
  });
  const renewal = startLoop(
    () => seconds(limits.webhookListenerSeconds) / 3,
    async () => {
      await store.updateEndpoint(db.write, id, { listenerExpiresAt: expiry() }).catch(deps.log.failed);
    },
  );
  const delivering = startDelivering(
    { ...deps, open: () => ({ url, secrets: [secret] }) },
    { endpointId: id },
  );
  return {
    secret,
    stop: async () => {
      await Promise.all([renewal.stop(), delivering.stop()]);
      await db.transaction((trx) => store.deleteEndpoint(trx, id));
    },
  };
};
