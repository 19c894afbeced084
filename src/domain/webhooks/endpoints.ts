// The owner's operations on an application's webhook endpoints. Each change records its audit event.
import { type IpFilter, isAllowedHost } from '../../../connectors/kit/ipFilter.ts';
import type { Database } from '../../platform/db/open.ts';
import type { Limits } from '../../platform/settings/limits.ts';
import { addMilliseconds, type Environment, seconds } from '../../platform/values/clock.ts';
import { Conflict, NotFound, OperatorError } from '../../platform/values/errors.ts';
import { makeId } from '../../platform/values/ids.ts';
import { parseUrl } from '../../platform/values/text.ts';
import type { PublicKey } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import { sealForWorker } from '../../platform/vault/seal.ts';
import { lockApplication } from '../applications/store.ts';
import type { AuditContext } from '../audit/by.ts';
import { type AuditAction, type AuditEntry, audited } from '../audit/store.ts';
import { queueForEndpoints } from './outbox.ts';
import { makeWebhookSecret } from './sendWebhook.ts';
import type { DueDelivery, WebhookEndpoint } from './store.ts';
import * as store from './store.ts';

export type EndpointDeps = {
  db: Database;
  limits: Limits;
  workerPublicKeys: Keyset<PublicKey>;
  /** The IP addresses that endpoints may have. */
  isAllowed: IpFilter;
};

/** Sealed together, so that changing a row cannot redirect signed events. */
export type SealedEndpoint = { applicationId: string; url: string; secret: string };

const sealSecret = (
  { id, applicationId, url }: Pick<WebhookEndpoint, 'id' | 'applicationId' | 'url'>,
  secret: string,
  workerKey: PublicKey,
): Buffer =>
  sealForWorker({ applicationId, url, secret } satisfies SealedEndpoint, ['webhookEndpoint', id], workerKey);

/** Makes an endpoint with its signing secret; stores nothing. */
export const makeEndpoint = (
  applicationId: string,
  { url, now }: { url: string; now: Date },
  workerKey: PublicKey,
): { endpoint: WebhookEndpoint; secret: string } => {
  const secret = makeWebhookSecret();
  const ids = { id: makeId('whe'), applicationId, url };
  const endpoint: WebhookEndpoint = {
    ...ids,
    createdAt: now.toISOString(),
    secret: sealSecret(ids, secret, workerKey),
    replacedSecret: null,
    replacedSecretExpiresAt: null,
    failingSince: null,
    disabledAt: null,
    disabledReason: null,
    listenerExpiresAt: null,
  };
  return { endpoint, secret };
};

/** Creates an endpoint; `secret` is shown once. `url` must come from `checkWebhookUrl`. Throws Conflict if there are too many. */
export const createWebhookEndpoint = async (
  { db, limits, workerPublicKeys }: EndpointDeps,
  { applicationId, url }: { applicationId: string; url: string },
  by: AuditContext,
): Promise<{ endpoint: WebhookEndpoint; secret: string }> =>
  workerPublicKeys.withCurrent(async ({ key }) => {
    const made = makeEndpoint(applicationId, { url, now: by.now }, key);
    await audited(db, by, async (trx) => {
      await lockApplication(trx, applicationId);
      const { length } = await store.findEndpoints(trx, applicationId);
      if (length >= limits.webhookEndpointsMax)
        throw new Conflict(`An application has at most ${limits.webhookEndpointsMax} webhook endpoints.`);
      await store.insertEndpoint(trx, made.endpoint);
      return changeOf(made.endpoint, 'webhook_endpoint_created');
    });
    return made;
  });

/** The state of an endpoint; `failing` means no success since its first failed attempt. */
export const endpointState = (endpoint: WebhookEndpoint): 'active' | 'failing' | 'disabled' => {
  if (endpoint.disabledAt) return 'disabled';
  return endpoint.failingSince ? 'failing' : 'active';
};

/** An endpoint of an application. Throws NotFound. */
export const findWebhookEndpoint = async (
  db: Database,
  applicationId: string,
  id: string,
): Promise<WebhookEndpoint> => {
  const endpoint = await store.findEndpoint(db.read, id);
  if (endpoint?.applicationId === applicationId && endpoint.listenerExpiresAt === null) return endpoint;
  throw new NotFound('webhook_endpoint');
};

/** Deletes an endpoint and drops its pending deliveries. Throws NotFound. */
export const deleteWebhookEndpoint = (
  db: Database,
  endpoint: WebhookEndpoint,
  by: AuditContext,
): Promise<void> =>
  audited(db, by, async (trx) => {
    if (!(await store.deleteEndpoint(trx, endpoint.id))) throw new NotFound('webhook_endpoint');
    return changeOf(endpoint, 'webhook_endpoint_deleted');
  });

/** Creates and returns a new secret for an endpoint. The previous secret also signs until it expires. */
export const rotateWebhookSecret = async (
  { db, limits, workerPublicKeys }: EndpointDeps,
  endpoint: WebhookEndpoint,
  by: AuditContext,
): Promise<{ secret: string; previousSecretExpiresAt: Date }> => {
  const secret = makeWebhookSecret();
  const previousSecretExpiresAt = addMilliseconds(by.now, seconds(limits.webhookReplacedSecretHours * 3600));
  await workerPublicKeys.withCurrent(({ key }) =>
    audited(db, by, async (trx) => {
      const replacedSecretExpiresAt = previousSecretExpiresAt.toISOString();
      const change = { secret: sealSecret(endpoint, secret, key), replacedSecretExpiresAt };
      if (!(await store.replaceSecret(trx, endpoint.id, change))) throw new NotFound('webhook_endpoint');
      return changeOf(endpoint, 'webhook_secret_rotated');
    }),
  );
  return { secret, previousSecretExpiresAt };
};

/** Enables a disabled endpoint. It receives new events; failed ones can be replayed. */
export const enableWebhookEndpoint = (
  db: Database,
  endpoint: WebhookEndpoint,
  by: AuditContext,
): Promise<void> =>
  audited(db, by, async (trx) => {
    await store.updateEndpoint(trx, endpoint.id, {
      disabledAt: null,
      disabledReason: null,
      failingSince: null,
    });
    return changeOf(endpoint, 'webhook_endpoint_enabled');
  });

/** Queues a test event, which concerns no end user. Throws Conflict if the endpoint is disabled. */
export const queueTestWebhook = async (
  db: Database,
  endpoint: WebhookEndpoint,
  now: Date,
): Promise<DueDelivery> => {
  requireEnabled(endpoint);
  const content = { type: 'webhook.test', data: {} } as const;
  const about = { endUserId: '', connectionId: null };
  const eventId = await db.transaction((trx) => queueForEndpoints(trx, [endpoint.id], about, content, now));
  const { endUserId } = about;
  return { endUserId, eventId, endpointId: endpoint.id, dueAt: now.toISOString(), leaseToken: null };
};

/** Replays an event. Throws Conflict if the endpoint is disabled, and NotFound if there is no such event. */
export const replayWebhook = async (
  db: Database,
  endpoint: WebhookEndpoint,
  eventId: string,
  now: Date,
): Promise<void> => {
  requireEnabled(endpoint);
  const replayed = await store.replayDeliveries(db.write, endpoint.id, { eventId }, now.toISOString());
  if (replayed === 0) throw new NotFound('webhook_event');
};

/** Replays all failed events and returns their number. Throws Conflict if the endpoint is disabled. */
export const replayFailedWebhooks = async (
  db: Database,
  endpoint: WebhookEndpoint,
  now: Date,
): Promise<number> => {
  requireEnabled(endpoint);
  return store.replayDeliveries(db.write, endpoint.id, { state: 'failed' }, now.toISOString());
};

const requireEnabled = ({ disabledAt }: WebhookEndpoint): void => {
  if (disabledAt !== null) throw new Conflict('The endpoint is disabled: enable it first.');
};

const changeOf = ({ id: subject, applicationId, url }: WebhookEndpoint, action: AuditAction): AuditEntry => {
  // The rest of the URL may be confidential.
  return { action, subject, details: { application: applicationId, host: new URL(url).host } };
};

const urlLengthMax = 2000;

/**
 * The canonical URL of an endpoint. Throws OperatorError with a message about the expected form. A host name's IP addresses are
 * checked on each connection, because they may change.
 */
export const checkWebhookUrl = (text: string, environment: Environment, isAllowed: IpFilter): string => {
  const url = parseUrl(text);
  if (!url || !/^https?:$/.test(url.protocol) || text.length > urlLengthMax) {
    throw new OperatorError('must look like https://example.com/webhooks');
  }
  if (environment === 'production' && url.protocol !== 'https:') {
    throw new OperatorError('must begin with https:// for a Production application');
  }
  if (url.username || url.password) throw new OperatorError('must not contain a user name or password');
  if (url.hash) throw new OperatorError('must not contain a fragment (#)');
  if (!isAllowedHost(url, isAllowed)) {
    throw new OperatorError(
      'must not be an address in a private network, unless the operator lists it in ALLOWED_NETWORKS',
    );
  }
  return url.href;
};
