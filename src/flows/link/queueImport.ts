// The last step of a link session: queues the import or reconnect, which the worker runs.
import { putJob } from '../../domain/connections/jobs.ts';
import { findResourceOwner } from '../../domain/users/store.ts';
import { Conflict } from '../../platform/values/errors.ts';
import { makeIdNear } from '../../platform/values/ids.ts';
import { derivePublicKey, makeSecret } from '../../platform/vault/keys.ts';
import { sealForWorker } from '../../platform/vault/seal.ts';
import {
  type ImportRequest,
  importRequestVersion,
  type LinkingDeps,
  type LinkState,
  linkSessionExpiry,
  type OpenLinkSession,
  type PendingImport,
  statisticsOf,
} from './linkSession.ts';
import * as store from './store.ts';

/**
 * Queues the import of the selected accounts, or the reconnect. The input is sealed to the worker; the session keeps only the
 * secret of the end user who may be created. Throws Conflict if the session changed meanwhile.
 */
export const queueImport = async (
  deps: LinkingDeps,
  session: OpenLinkSession,
  { import: selection, reconnectConnectionId, user }: PendingImport & Pick<ImportRequest, 'user'>,
): Promise<void> => {
  const { row, application, kept } = session;
  const userSecret = makeSecret();
  const owner =
    reconnectConnectionId === null ? undefined : await findResourceOwner(deps.db.read, reconnectConnectionId);
  const request: ImportRequest = {
    ...{ ...selection, user },
    v: importRequestVersion,
    connectionId: reconnectConnectionId ?? makeIdNear('con', row.id),
    endUserId: owner?.endUserId ?? makeIdNear('usr', row.id),
    applicationId: application.id,
    organizationId: application.organizationId,
    environment: application.environment,
    kind: reconnectConnectionId === null ? 'import' : 'reconnect',
    externalUserId: row.externalUserId,
    consent: kept.consent,
    pagePublicKey: session.derivePagePublicKey().toString('base64url'),
    publicKey: derivePublicKey(userSecret).toString('base64url'),
  };
  const { connectionId, endUserId, institution } = request;
  const dueAt = deps.clock.real().toISOString();
  const job = { ...request, institutionId: institution.id, linkSessionId: row.id, dueAt, attempts: 0 };
  const state: LinkState = { at: 'importing', institution, userSecret: userSecret.toString('base64url') };
  await deps.workerPublicKeys.withCurrent(({ key }) =>
    deps.db.transaction(async (trx) => {
      await putJob(trx, job);
      const change = {
        ...{ state: state.at, reconnectConnectionId, connectionId, endUserId },
        stateSealed: session.seal(state, kept, reconnectConnectionId),
        importRequestSealed: sealForWorker(request, ['importRequest', row.id], key),
        ...{ resultSealed: null, failure: null, progress: null },
        expiresAt: linkSessionExpiry(deps),
        ...statisticsOf(row, state),
      };
      if (!(await store.saveStep(trx, row, change))) throw new Conflict();
    }),
  );
  deps.wakeWorker();
};
