// SimpleFIN access lets other apps read an end user's accounts. It is created with the scoped token, claimed once by the app,
// opened with its password, and revoked without either.

import type { Application } from '../../domain/applications/application.ts';
import { findActiveApplication } from '../../domain/applications/store.ts';
import type { AuditContext } from '../../domain/audit/by.ts';
import { type AuditAction, type AuditEntry, audited } from '../../domain/audit/store.ts';
import {
  findEndUser,
  findResourceOwner,
  insertResourceOwners,
  lockEndUser,
} from '../../domain/users/store.ts';
import type { Database } from '../../platform/db/open.ts';
import type { SimplefinAccessRow } from '../../platform/db/tables.ts';
import type { Config } from '../../platform/settings/config.ts';
import { addMilliseconds, type Clock, seconds } from '../../platform/values/clock.ts';
import {
  Conflict,
  CorruptData,
  InvalidScopedToken,
  InvalidSimplefinAccess,
  NotFound,
  ValidationError,
} from '../../platform/values/errors.ts';
import { isId, makeIdNear } from '../../platform/values/ids.ts';
import { type ListPage, readListPage, timeAndIdCursors } from '../../platform/values/listPage.ts';
import { type SharedSecret, sealSharedSecret, unsealSharedSecret } from '../../platform/vault/endUserKeys.ts';
import { openGrant, type ReadGrant, readGrantRows } from '../read/authorize.ts';
import type { ListedSimplefinAccess } from './store.ts';
import * as store from './store.ts';
import {
  makeAccessUrl,
  makeSetupToken,
  parseClaimToken,
  parsePassword,
  type SimplefinKey,
} from './tokens.ts';

export type SimplefinDeps = { db: Database; clock: Clock; config: Pick<Config, 'limits' | 'baseUrl'> };

export type NewSimplefinAccess = {
  label: string;
  /** The accounts that it covers; if absent, all of the end user's, including future ones. */
  accountIds: readonly string[] | undefined;
  /** True if it never returns pending transactions. */
  postedOnly?: boolean;
};

/** The values that an access's sealed secret is bound to. A changed `postedOnly` must not reveal pending transactions. */
const idsOf = ({ id, endUserId, applicationId, postedOnly }: ListedSimplefinAccess): string[] => [
  ...[id, endUserId, applicationId],
  ...(postedOnly === 0 ? [] : ['posted only']),
];

/**
 * Creates an access for the end user of a grant, and its setup token, which is shown once. Throws ValidationError for an
 * account that cannot be read, Conflict if the end user has too many accesses, and InvalidScopedToken if the user was deleted.
 */
export const createSimplefinAccess = async (
  { db, clock, config: { limits, baseUrl } }: SimplefinDeps,
  { userKeys, connections }: ReadGrant,
  { label, accountIds, postedOnly = false }: NewSimplefinAccess,
  by?: AuditContext,
): Promise<{ row: ListedSimplefinAccess; setupToken: string; expiresAt: string }> => {
  const { endUserId, applicationId } = userKeys;
  const connectionIds = connections.map(({ id }) => id);
  await requireAccounts(db, { endUserId, connectionIds }, accountIds);
  const id = makeIdNear('sfa', endUserId);
  const { setupToken, key } = makeSetupToken(baseUrl, id);
  const now = clock.real();
  const expiresAt = addMilliseconds(now, seconds(limits.simplefinClaimMinutes * 60)).toISOString();
  const user = await findEndUser(db.read, endUserId);
  const row = {
    ...{ endUserId, id, applicationId, label },
    externalUserId: user?.externalUserId ?? null,
    createdAt: now.toISOString(),
    claimExpiresAt: expiresAt,
    lastUsedAt: null,
    postedOnly: Number(postedOnly),
  };
  const sealed = userKeys.sealSecret({ accountIds }, key, idsOf(row));
  await audited(db, by, async (trx) => {
    // The sweep deleted the end user after authentication, and would not find the access.
    if (!(await lockEndUser(trx, endUserId))) throw new InvalidScopedToken();
    if ((await store.countSimplefinAccesses(trx, endUserId)) >= limits.simplefinAccessesMax) {
      throw new Conflict(
        `An end user can share with at most ${limits.simplefinAccessesMax} SimpleFIN apps. Revoke one first.`,
      );
    }
    await insertResourceOwners(trx, [{ id, applicationId, endUserId }]);
    await store.insertSimplefinAccess(trx, { ...row, sealed });
    return changeOf(row, 'simplefin_access_created');
  });
  return { row, setupToken, expiresAt };
};

const requireAccounts = async (
  db: Database,
  owner: { endUserId: string; connectionIds: readonly string[] },
  accountIds: readonly string[] = [],
): Promise<void> => {
  if (accountIds.length === 0) return;
  const known = new Set(await store.findAccountIds(db.read, owner));
  const message = 'must be an account that this scoped token can read';
  const problems = accountIds.flatMap((id, index) =>
    known.has(id) ? [] : [{ path: `/body/accountIds/${index}`, message }],
  );
  if (problems.length > 0) throw new ValidationError('invalid_request', problems);
};

const changeOf = ({ label, applicationId }: ListedSimplefinAccess, action: AuditAction): AuditEntry => ({
  action,
  details: { label, application: applicationId },
});

/** An access opened with its setup token. */
export type OpenClaim = { row: SimplefinAccessRow; shared: SharedSecret };

/** Opens an access with a claim URL's token. Throws InvalidSimplefinAccess if it is wrong, expired, claimed or revoked. */
export const openClaim = async ({ db, clock }: SimplefinDeps, claimToken: string): Promise<OpenClaim> => {
  const opened = await openRow(db, parseClaimToken(claimToken));
  const { claimExpiresAt } = opened.row;
  if (claimExpiresAt === null || claimExpiresAt <= clock.real().toISOString())
    throw new InvalidSimplefinAccess();
  if (!(await findActiveApplication(db.read, opened.row.applicationId))) throw new InvalidSimplefinAccess();
  return opened;
};

/** Returns the access URL to only one of several concurrent claims; the others throw InvalidSimplefinAccess. */
export const claimSimplefinAccess = async (
  { db, clock, config }: SimplefinDeps,
  { row, shared }: OpenClaim,
): Promise<string> => {
  const { accessUrl, key } = makeAccessUrl(config.baseUrl, row.id);
  const sealed = sealSharedSecret(shared, key, idsOf(row));
  await db.markVacuumNeeded();
  if (!(await store.markClaimed(db.write, row, { sealed, now: clock.real().toISOString() })))
    throw new InvalidSimplefinAccess();
  return accessUrl;
};

/** An access opened with the correct password, and the accounts that it may read. */
export type OpenedSimplefinAccess = {
  row: SimplefinAccessRow;
  grant: ReadGrant;
  application: Application;
  /** All of the end user's accounts if absent. */
  accountIds: ReadonlySet<string> | undefined;
};

/** Opens an access with user name and password. Throws InvalidSimplefinAccess, and Forbidden if nothing can be read any more. */
export const openAccessUrl = async (
  deps: SimplefinDeps,
  credentials: { user: string; password: string },
): Promise<OpenedSimplefinAccess> => {
  const { row, shared } = await openRow(deps.db, parsePassword(credentials));
  const opened = await openUserSecret(deps, row, shared.secret);
  return { row, ...opened, accountIds: shared.accountIds && new Set(shared.accountIds) };
};

/** Opens an access with an end user's secret. Throws InvalidSimplefinAccess, and Forbidden like `openGrant`. */
export const openUserSecret = async (
  { db, clock, config }: SimplefinDeps,
  { applicationId, endUserId }: { applicationId: string; endUserId: string },
  secret: Buffer,
): Promise<{ grant: ReadGrant; application: Application }> => {
  const [application, rows] = await Promise.all([
    findActiveApplication(db.read, applicationId),
    readGrantRows(db, { endUserId, accountId: undefined }),
  ]);
  if (!application) throw new InvalidSimplefinAccess();
  const retention = { clock, application, limits: config.limits };
  return { grant: openGrant(rows, secret, applicationId, retention), application };
};

const openRow = async (db: Database, key: SimplefinKey | undefined): Promise<OpenClaim> => {
  const owner = key && (await findResourceOwner(db.read, key.id));
  const row = owner && (await store.findSimplefinAccess(db.read, { endUserId: owner.endUserId, id: key.id }));
  if (!row) throw new InvalidSimplefinAccess();
  try {
    return { row, shared: unsealSharedSecret(row.sealed, key.key, idsOf(row)) };
  } catch (error) {
    // A wrong secret and a changed row look the same.
    throw error instanceof CorruptData ? new InvalidSimplefinAccess() : error;
  }
};

/** Stores that an access was used now. */
export const recordUse = ({ db, clock }: SimplefinDeps, { row }: OpenedSimplefinAccess): Promise<void> =>
  store.markSimplefinAccessUsed(db.write, row, clock.real().toISOString());

/** Deletes an application's access, claimed or not. Throws NotFound. */
export const revokeSimplefinAccess = async (
  { db }: Pick<SimplefinDeps, 'db'>,
  applicationId: string,
  id: string,
  by?: AuditContext,
): Promise<void> => {
  const owner = isId('sfa', id) ? await findResourceOwner(db.read, id) : undefined;
  if (owner?.applicationId !== applicationId) throw new NotFound('access');
  await db.markVacuumNeeded();
  await audited(db, by, async (trx) => {
    const row = await store.findSimplefinAccess(trx, owner);
    if (row?.applicationId !== applicationId || !(await store.deleteSimplefinAccess(trx, owner)))
      throw new NotFound('access');
    return changeOf(row, 'simplefin_access_revoked');
  });
};

/** The state of an access: `unclaimed` until its setup token is claimed. */
export const simplefinAccessState = ({ claimExpiresAt }: ListedSimplefinAccess): 'unclaimed' | 'active' =>
  claimExpiresAt === null ? 'active' : 'unclaimed';

/** One page of an application's accesses, newest first. Throws ValidationError for a cursor from another list. */
export const listSimplefinAccesses = (
  { db, clock }: Pick<SimplefinDeps, 'db' | 'clock'>,
  filter: { applicationId: string; externalUserId?: string },
  request: { cursor?: string; limit?: number },
): Promise<ListPage<ListedSimplefinAccess>> =>
  readListPage(request, timeAndIdCursors('sfa'), (page) =>
    store.findSimplefinAccesses(db.read, filter, { ...page, now: clock.real().toISOString() }),
  );
