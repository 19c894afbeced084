// The worker's reconnect: new credentials for a connection. The login must have at least one of its accounts. History, ids,
// refresh cursors and the scoped token stay.

import { consentColumns } from '../../domain/connections/bankConsent.ts';
import { replaceCredentials } from '../../domain/connections/store.ts';
import { sealForWorker } from '../../platform/vault/seal.ts';
import { linkSessionExpiry } from '../link/linkSession.ts';
import { openFingerprintKey } from '../merge/fingerprints.ts';
import { type ClaimedJob, workerTransaction } from '../refresh/jobs.ts';
import { findMissing, matchAccounts } from '../refresh/matchAccounts.ts';
import { publishRefreshed } from '../refresh/publish.ts';
import { findAccountRows, findRefreshedConnection, verifyOwners } from '../refresh/queries.ts';
import { clearStaged } from '../refresh/staging.ts';
import {
  AccountsMismatch,
  fetchForLink,
  finishLink,
  firstRefresh,
  type LinkJobDeps,
  runLinkJob,
} from './linkJob.ts';
import { giveBackReplaced } from './revokeConsents.ts';

/** Reconnects the connection of a session. Throws when the job should be retried. */
export const reconnectConnection = (
  deps: LinkJobDeps,
  job: ClaimedJob,
  signal: AbortSignal,
): Promise<unknown> =>
  runLinkJob(deps, job, signal, async (link) => {
    const { request } = link;
    const connection = await findRefreshedConnection(deps.db.read, job);
    if (!connection || connection.revokedAt) throw new AccountsMismatch();
    const publicKey = verifyOwners(connection, request, deps.signingKeys);
    if (connection.institutionId !== request.institution.id) throw new AccountsMismatch();
    const { endUserId, connectionId } = job;
    const fingerprintKey = openFingerprintKey(connection, deps.workerKeys);
    let missingAccountIds: string[] = [];
    const fetched = await fetchForLink(deps, job, link, {
      fingerprintKey,
      choose: async (reading) => {
        const rows = await findAccountRows(deps.db.read, { endUserId, connectionId });
        const accounts = matchAccounts({ connectionId, fingerprintKey }, rows, reading.accounts);
        if (accounts.length === 0) throw new AccountsMismatch();
        missingAccountIds = findMissing(connection, rows, accounts);
        return accounts;
      },
    });
    const now = deps.clock.now(job);
    await workerTransaction(deps, async (trx, { worker, signing }) => {
      const credentials = sealForWorker(fetched.credentials, ['credentials', connectionId], worker);
      const consent = consentColumns(link.request.expiresAt, now, deps.limits);
      await replaceCredentials(trx, job, credentials, consent);
      await giveBackReplaced(deps, trx, job, { connection, fetched, worker });
      const next = firstRefresh(now, fetched, job, deps);
      const refreshed = { connection, publicKey, now, kind: 'reconnected', job, next } as const;
      await publishRefreshed(deps, trx, fetched, refreshed);
      const result = { connectionId, endUserId, isNew: false, expiresAt: linkSessionExpiry(deps) };
      await finishLink(trx, link, fetched, { ...result, missingAccountIds }, signing);
    });
    deps.reportAbsences(job, fetched.absences);
    await clearStaged(deps, fetched);
  });
