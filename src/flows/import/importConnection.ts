// The worker's import of a new connection. One transaction writes the end user, resource owners, accounts, transactions and the
// result for the page.

import { signConnection } from '../../domain/connections/connection.ts';
import { consentColumns } from '../../domain/connections/consentColumns.ts';
import { failedRow, removeJob } from '../../domain/connections/jobs.ts';
import {
  discardConnection,
  encodeIds,
  findActiveConnections,
  insertConnection,
  recordConnectionEvent,
} from '../../domain/connections/store.ts';
import { signEndUser, verifyEndUser } from '../../domain/users/endUser.ts';
import {
  findCurrentEndUserId,
  findEndUser,
  insertEndUser,
  insertResourceOwners,
  setCurrentEndUser,
} from '../../domain/users/store.ts';
import type { DbTransaction, Queries } from '../../platform/db/open.ts';
import type { ConnectionRow } from '../../platform/db/tables.ts';
import { addMilliseconds, seconds } from '../../platform/values/clock.ts';
import { BankUnreachable } from '../../platform/values/errors.ts';
import { makeSecret } from '../../platform/vault/keys.ts';
import type { Keyset } from '../../platform/vault/keyset.ts';
import { sealForWorker } from '../../platform/vault/seal.ts';
import type { SigningKeys } from '../../platform/vault/sign.ts';
import type { ImportRequest } from '../link/linkSession.ts';
import * as store from '../link/store.ts';
import { sealFingerprintKey } from '../merge/fingerprints.ts';
import { laggingAccountIds } from '../refresh/fetchAccounts.ts';
import { type ClaimedJob, completeJob, workerTransaction } from '../refresh/jobs.ts';
import { addOffered, publish } from '../refresh/publish.ts';
import { clearStaged } from '../refresh/staging.ts';
import { findDuplicate } from './findDuplicate.ts';
import {
  askAgain,
  type FetchedForLink,
  fetchForLink,
  finishLink,
  firstRefresh,
  JobMustWait,
  type LinkJobDeps,
  type RunningLink,
  runLinkJob,
} from './linkJob.ts';

/** Imports the accounts that a session selected. Throws if the job should be retried. */
export const importConnection = (deps: LinkJobDeps, job: ClaimedJob, signal: AbortSignal): Promise<unknown> =>
  runLinkJob(deps, job, signal, async (link) => {
    // Checked before polling the bank, because waiting for the page may take minutes.
    const expected = await expectEndUser(deps, link.request);
    const duplicate = await findDuplicate(deps, expected, link.request);
    const { accountIds } = link.request;
    if (duplicate && !link.request.isRepeated)
      return askAgain(deps, job, link, { asked: { accountIds, duplicate }, sharedIds: undefined });
    const fingerprintKey = makeSecret();
    const fetched = await fetchForLink(deps, job, link, {
      ...{ endUserId: expected.endUserId, fingerprintKey, accountIds },
      choose: ({ accounts }) => {
        const isOffered = accounts.every(({ id }) => accountIds.includes(id));
        if (!isOffered || accounts.length !== accountIds.length) throw new BankUnreachable('incomplete');
        const unshared = link.request.accounts.filter(({ id }) => !accountIds.includes(id));
        return { matched: accounts.map((incoming) => ({ incoming })), unshared, unlisted: [] };
      },
    });
    await publishImport(deps, job, link, { fingerprintKey, fetched, duplicateOf: duplicate?.connectionId });
    await clearStaged(deps, fetched);
  });

type Imported = { fingerprintKey: Buffer; fetched: FetchedForLink; duplicateOf: string | undefined };

const publishImport = (
  deps: LinkJobDeps,
  job: ClaimedJob,
  link: RunningLink,
  { fingerprintKey, fetched, duplicateOf }: Imported,
): Promise<void> =>
  workerTransaction(deps, async (trx, { worker, signing }) => {
    const { clock, limits, signingKeys } = deps;
    const { session, request } = link;
    // Read once, because a connection that discards another session's connection must not itself be expired.
    const [now, real] = [clock.now(job), clock.real()];
    const expiresAt = addMilliseconds(real, seconds(limits.deliveryMinutes * 60)).toISOString();
    const user = await resolveEndUser(trx, request, { now, real, signingKeys, signingKey: signing });
    const { endUserId } = user;
    const { connectionId, applicationId } = request;
    await insertResourceOwners(trx, [{ id: connectionId, applicationId, endUserId }]);
    const signed = {
      ...{ id: connectionId, endUserId, applicationId, institutionId: request.institution.id },
      ...sealFingerprintKey(fingerprintKey, connectionId, worker),
    };
    await insertConnection(trx, {
      ...signed,
      signature: signConnection(signed, request, signing),
      institutionName: request.institution.name,
      createdAt: now.toISOString(),
      revokedAt: null,
      deliveryExpiresAt: expiresAt,
      reconnectReason: null,
      ...consentColumns(request.expiresAt, now, limits),
      credentials: sealForWorker(fetched.credentials, ['credentials', connectionId], worker),
      refreshedAt: now.toISOString(),
      refreshedFullyAt: now.toISOString(),
      laggingAccountIds: encodeIds(laggingAccountIds(fetched)),
      offeredFingerprints: addOffered(null, fetched),
      duplicateOf: duplicateOf ?? null,
      ...{ withdrawnTransactions: 0, doubtedReadings: 0 },
      externalUserId: request.externalUserId,
      linkSessionId: session.id,
    });
    await completeJob(trx, job, { ...firstRefresh(now, fetched, job, deps), endUserId });
    const event = { kind: 'linked', at: now, real } as const;
    await recordConnectionEvent(trx, { endUserId, connectionId }, event, limits.connectionEventsMax);
    await publish(deps, trx, fetched, { ...user, applicationId, connectionId, now });
    await finishLink(trx, link, fetched, { ...user, connectionId, expiresAt, duplicateOf }, signing);
  });

type CurrentUser = { applicationId: string; externalUserId: string; endUserId: string };

const findFirstSession = async (db: Queries, { linkSessionId }: Pick<ConnectionRow, 'linkSessionId'>) =>
  linkSessionId === null ? undefined : store.findLinkSession(db, linkSessionId);

/**
 * The end user to whom the import will probably add the connection (`resolveEndUser` decides), and their delivered connections,
 * oldest first. Throws JobMustWait while a page has the result of the first link.
 */
const expectEndUser = async (
  { db: { read }, clock }: LinkJobDeps,
  { applicationId, externalUserId, endUserId }: ImportRequest,
): Promise<{ endUserId: string; connectionIds: string[] }> => {
  const current =
    externalUserId === null ? undefined : await findCurrentEndUserId(read, applicationId, externalUserId);
  if (current === undefined) return { endUserId, connectionIds: [] };
  const active = await findActiveConnections(read, current, clock.real());
  const acknowledged = active.filter(({ deliveryExpiresAt }) => deliveryExpiresAt === null);
  if (acknowledged.length > 0) return { endUserId: current, connectionIds: acknowledged.map(({ id }) => id) };
  const sessions = await Promise.all(active.map((connection) => findFirstSession(read, connection)));
  if (sessions.some((session) => session?.state === 'finished' && session.deliveredAt !== null))
    throw new JobMustWait();
  return { endUserId, connectionIds: [] };
};

type ResolvedUser = { endUserId: string; publicKey: Buffer; isNew: boolean };

// The connection's end user: the current one for the external user id if it has an active connection, else a new one, whose
// scoped token is part of the result.
const resolveEndUser = async (
  trx: DbTransaction,
  request: ImportRequest,
  context: { now: Date; real: Date; signingKeys: Keyset<SigningKeys>; signingKey: SigningKeys },
): Promise<ResolvedUser> => {
  const { applicationId, endUserId, externalUserId } = request;
  const publicKey = Buffer.from(request.publicKey, 'base64url');
  if (externalUserId !== null) {
    const current = await findCurrentEndUserId(trx, applicationId, externalUserId);
    const reused =
      current === undefined
        ? undefined
        : await reuseEndUser(trx, { applicationId, externalUserId, endUserId: current }, context);
    if (reused) return reused;
    const change = { applicationId, externalUserId, endUserId, replaces: current };
    if (!(await setCurrentEndUser(trx, change))) throw new JobMustWait();
  }
  const user = { endUserId, publicKey, applicationId, externalUserId };
  const signature = signEndUser(user, context.signingKey);
  await insertEndUser(trx, { ...user, signature, createdAt: context.now.toISOString() });
  return { endUserId, publicKey, isNew: true };
};

const reuseEndUser = async (
  trx: DbTransaction,
  current: CurrentUser,
  { real, signingKeys }: { real: Date; signingKeys: Keyset<SigningKeys> },
): Promise<ResolvedUser | undefined> => {
  const { endUserId } = current;
  const user = await findEndUser(trx, endUserId);
  const active = await findActiveConnections(trx, endUserId, real);
  if (!user || active.length === 0) return undefined;
  if (active.some((connection) => connection.deliveryExpiresAt === null)) {
    verifyEndUser({ ...user, ...current }, signingKeys);
    return { endUserId, publicKey: user.publicKey, isNew: false };
  }
  // No backend has this end user's scoped token yet. Unless a page has received it, this session replaces the others.
  for (const connection of active) {
    await discardConnection(trx, { endUserId, id: connection.id }, real);
    // Its running refresh must not store anything more.
    await removeJob(trx, connection.id);
    const session = await findFirstSession(trx, connection);
    // A session acknowledged just now has ended with its connection delivered, and cannot be superseded.
    const mayBeDelivered = session && (session.state === 'finished' || session.state === 'ended');
    const superseded = failedRow('superseded');
    if (mayBeDelivered && !(await store.moveLinkSession(trx, session.id, 'supersede', superseded)))
      throw new JobMustWait();
  }
  return undefined;
};
