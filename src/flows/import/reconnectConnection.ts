// The worker's reconnect gives a connection new credentials. The login must have at least one of the connection's accounts.
// History, ids, refresh cursors and the scoped token stay the same.
import type { BankAccount } from '../../../connectors/kit/contract.ts';
import { consentColumns } from '../../domain/connections/consentColumns.ts';
import { replaceCredentials } from '../../domain/connections/store.ts';
import { sealForWorker } from '../../platform/vault/seal.ts';
import { linkSessionExpiry } from '../link/linkSession.ts';
import { openFingerprintKey } from '../merge/fingerprints.ts';
import {
  deselectAccounts,
  findAccountRows,
  findRefreshedConnection,
  type StoredAccountRow,
  verifyOwners,
} from '../refresh/accountStore.ts';
import type { AccountsToFetch } from '../refresh/fetchAccounts.ts';
import { type ClaimedJob, workerTransaction } from '../refresh/jobs.ts';
import { type AccountMatch, findMissing, matchAccounts } from '../refresh/matchAccounts.ts';
import { publishRefreshed } from '../refresh/publish.ts';
import { clearStaged } from '../refresh/staging.ts';
import {
  AccountsMismatch,
  askAgain,
  fetchForLink,
  finishLink,
  firstRefresh,
  type LinkJobDeps,
  runLinkJob,
} from './linkJob.ts';
import { queueReplacedConsent } from './revokeConsents.ts';

/** Reconnects a session's connection. Throws if the job should be retried. */
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
    const { accounts, accountIds, choice } = request;
    const fingerprintKey = openFingerprintKey(connection, deps.workerKeys);
    const rows = await findAccountRows(deps.db.read, { endUserId, connectionId });
    const matchWith = (listed: readonly BankAccount[]): AccountMatch => {
      const match = matchAccounts({ connectionId, fingerprintKey }, rows, listed);
      if (match.known.length === 0) throw new AccountsMismatch();
      return match;
    };
    if (choice === 'asked') {
      const sharedIds = matchWith(accounts).matched.map(({ incoming }) => incoming.id);
      return askAgain(deps, job, link, { asked: undefined, sharedIds });
    }
    let [missingAccountIds, deselectedIds]: [string[], string[]] = [[], []];
    const fetched = await fetchForLink(deps, job, link, {
      fingerprintKey,
      choose: (reading) => {
        const match = matchWith(reading.accounts);
        missingAccountIds = findMissing(connection, match);
        if (choice !== 'made') return match;
        const chosen = chooseAccounts(rows, match, reading.accounts, accountIds);
        deselectedIds = chosen.deselectedIds;
        return chosen;
      },
    });
    const now = deps.clock.now(job);
    await workerTransaction(deps, async (trx, { worker, signing }) => {
      const credentials = sealForWorker(fetched.credentials, ['credentials', connectionId], worker);
      const consent = consentColumns(link.request.expiresAt, now, deps.limits);
      await replaceCredentials(trx, job, credentials, consent);
      await queueReplacedConsent(deps, trx, job, { connection, fetched, worker });
      const next = firstRefresh(now, fetched, job, deps);
      const isChosen = choice === 'made';
      const refreshed = { connection, publicKey, now, kind: 'reconnected', isChosen, job, next } as const;
      await publishRefreshed(deps, trx, fetched, refreshed);
      await deselectAccounts(trx, endUserId, deselectedIds, now);
      const result = { connectionId, endUserId, isNew: false, expiresAt: linkSessionExpiry(deps) };
      await finishLink(trx, link, fetched, { ...result, missingAccountIds }, signing);
    });
    deps.reportAbsences(job, fetched.absences);
    await clearStaged(deps, fetched);
  });

/** Adds newly selected accounts, and deselects shared accounts that are no longer selected. */
const chooseAccounts = (
  rows: readonly StoredAccountRow[],
  { known, matched, unlisted }: AccountMatch,
  listed: readonly BankAccount[],
  accountIds: readonly string[],
): AccountsToFetch & { deselectedIds: string[] } => {
  const isChosen = ({ id }: BankAccount): boolean => accountIds.includes(id);
  const first = Math.max(-1, ...rows.map(({ position }) => position)) + 1;
  const added = listed
    .filter((account) => isChosen(account) && !known.some(({ incoming }) => incoming === account))
    .map((incoming, index) => ({ incoming, position: first + index }));
  const leftOut = matched.filter(({ incoming }) => !isChosen(incoming));
  return {
    matched: [...known.filter(({ incoming }) => isChosen(incoming)), ...added],
    unshared: listed.filter((account) => !isChosen(account)),
    unlisted,
    deselectedIds: leftOut.map(({ existing, replaced }) => (existing ?? replaced)!.id),
  };
};
