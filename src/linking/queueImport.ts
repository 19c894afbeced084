// The last step of the page: an order for the worker, and the work itself, in one transaction.
import { Conflict } from '../errors.ts';
import { makeId } from '../ids.ts';
import { putJob, type Job } from '../refresh/jobs.ts';
import { findResourceOwner } from '../users/store.ts';
import { sealForWorker } from '../vault/workerSeal.ts';
import { makeSecret } from '../vault/keys.ts';
import { derivePublicKey } from '../vault/userKey.ts';
import type { ImportRequest, LinkSessionState, OpenLinkSession } from './linkSession.ts';
import { linkSessionExpiry } from './createLinkSession.ts';
import { saveStep } from './store.ts';
import type { LinkingDeps } from './deps.ts';

/**
 * Queues the import of the chosen accounts, or the reconnection. The page's session keeps only the secret of
 * the end user that may become new; what the bank needs goes to the worker, who alone can open it.
 */
export const queueImport = async (
  tools: LinkingDeps,
  session: OpenLinkSession,
  memory: LinkSessionState,
): Promise<void> => {
  const { row, application } = session;
  const userSecret = makeSecret();
  const order: ImportRequest = {
    institution: memory.institution!,
    values: memory.values!,
    deviceToken: memory.deviceToken,
    access: memory.access!,
    accountIds: memory.accounts!.map((account) => account.id),
    publicKey: derivePublicKey(userSecret).toString('base64url'),
  };
  const owner = row.reconnectId ? await findResourceOwner(tools.db.read, row.reconnectId) : undefined;
  const work: Job = {
    connectionId: row.reconnectId ?? makeId('con'),
    endUserId: owner?.endUserId ?? makeId('usr'),
    applicationId: application.id,
    environment: application.environment,
    institutionId: order.institution.id,
    kind: row.reconnectId ? 'reconnect' : 'import',
    linkSessionId: row.id,
    dueAt: tools.clock.now(application.environment).toISOString(),
    attempts: 0,
  };
  await tools.db.transaction(async (trx) => {
    const moved = await saveStep(
      trx,
      { id: row.id, version: row.version },
      {
        state: 'importing',
        stateSealed: session.sealState({
          institution: order.institution,
          userSecret: userSecret.toString('base64url'),
        }),
        importRequestSealed: sealForWorker(order, row.id, tools.workerPublicKey),
        connectionId: work.connectionId,
        endUserId: work.endUserId,
        progress: null,
        expiresAt: linkSessionExpiry(tools),
      },
    );
    if (!moved) throw new Conflict();
    await putJob(trx, work);
  });
  tools.wakeWorker();
};
