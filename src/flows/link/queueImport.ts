// The last step of a link session: it queues the import or the reconnect, which the worker runs.
import { putJob } from '../../domain/connections/jobs.ts';
import { findResourceOwner } from '../../domain/users/store.ts';
import { Conflict } from '../../platform/values/errors.ts';
import { makeIdNear } from '../../platform/values/ids.ts';
import { derivePublicKey, makeSecret } from '../../platform/vault/keys.ts';
import { sealForWorker } from '../../platform/vault/seal.ts';
import {
  type ImportRequest,
  type LinkingDeps,
  type LinkSessionState,
  lastingState,
  linkSessionExpiry,
  type OpenLinkSession,
  statisticsOf,
} from './linkSession.ts';
import * as store from './store.ts';

/**
 * Queues the import of the selected accounts, or the reconnect. What the worker needs is sealed to it; the session
 * keeps only the secret of the end user that may become new. Throws Conflict when the session has changed meanwhile.
 */
export const queueImport = async (
  deps: LinkingDeps,
  session: OpenLinkSession,
  {
    savedState: state,
    reconnectConnectionId = session.row.reconnectConnectionId,
  }: { savedState: LinkSessionState; reconnectConnectionId?: string | null },
): Promise<void> => {
  const { row, application } = session;
  const userSecret = makeSecret();
  const owner =
    reconnectConnectionId === null ? undefined : await findResourceOwner(deps.db.read, reconnectConnectionId);
  const request: ImportRequest = {
    connectionId: reconnectConnectionId ?? makeIdNear('con', row.id),
    endUserId: owner?.endUserId ?? makeIdNear('usr', row.id),
    applicationId: application.id,
    organizationId: application.organizationId,
    environment: application.environment,
    kind: reconnectConnectionId === null ? 'import' : 'reconnect',
    externalUserId: row.externalUserId,
    consent: session.savedState.consent,
    pagePublicKey: session.derivePublicKey().toString('base64url'),
    institution: state.institution!,
    values: state.values!,
    deviceToken: state.deviceToken,
    access: state.access!,
    accounts: state.accounts!,
    accountIds: state.accountIds ?? [],
    isRepeated: state.duplicate !== undefined,
    publicKey: derivePublicKey(userSecret).toString('base64url'),
  };
  const dueAt = deps.clock.real().toISOString();
  const institutionId = request.institution.id;
  const job = { ...request, institutionId, linkSessionId: row.id, dueAt, attempts: 0 };
  const importing = {
    ...lastingState(session),
    institution: request.institution,
    userSecret: userSecret.toString('base64url'),
  };
  await deps.workerPublicKeys.withCurrent(({ key }) =>
    deps.db.transaction(async (trx) => {
      await putJob(trx, job);
      const change = {
        state: 'importing',
        reconnectConnectionId,
        stateSealed: session.sealState(importing, reconnectConnectionId),
        importRequestSealed: sealForWorker(request, ['importRequest', row.id], key),
        ...{ resultSealed: null, failure: null },
        ...{ connectionId: job.connectionId, endUserId: job.endUserId, progress: null },
        expiresAt: linkSessionExpiry(deps),
        ...statisticsOf(row, 'importing', state),
      } as const;
      if (!(await store.saveStep(trx, { id: row.id, version: row.version }, change))) throw new Conflict();
    }),
  );
  deps.wakeWorker();
};
