// Accesses, with which applications read an end user's accounts over SimpleFIN: created with the scoped token, claimed
// once by the application, opened by its password, and revoked without either.

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
  InvalidAccess,
  InvalidScopedToken,
  NotFound,
  ValidationError,
} from '../../platform/values/errors.ts';
import { isId, makeIdNear } from '../../platform/values/ids.ts';
import { type ListPage, readListPage, timeAndIdCursors } from '../../platform/values/listPage.ts';
import { type SharedSecret, sealSharedSecret, unsealSharedSecret } from '../../platform/vault/reader.ts';
import { openGrant, type ReadGrant, readGrantRows } from '../read/authorize.ts';
import type { ListedAccess } from './store.ts';
import * as store from './store.ts';
import { type AccessKey, makeAccessUrl, makeSetupToken, parseClaimToken, parsePassword } from './tokens.ts';

export type AccessDeps = { db: Database; clock: Clock; config: Pick<Config, 'limits' | 'baseUrl'> };

export type NewAccess = {
  label: string;
  /** The accounts that it covers. Without a list it covers all of the end user, also future ones. */
  accountIds: readonly string[] | undefined;
  /** Whether it never returns pending transactions. */
  postedOnly?: boolean;
};

/** What the sealed secret of an access is bound to. A changed `postedOnly` must not show pending transactions. */
const idsOf = ({ id, endUserId, applicationId, postedOnly }: ListedAccess): string[] => [
  ...[id, endUserId, applicationId],
  ...(postedOnly === 0 ? [] : ['posted only']),
];

/**
 * Creates an access for the end user of a Reader, and its setup token, which is shown once. Throws ValidationError for an
 * account that cannot be read, Conflict if the end user has too many accesses, and InvalidScopedToken if it was deleted.
 */
export const createAccess = async (
  { db, clock, config: { limits, baseUrl } }: AccessDeps,
  { reader, connections }: ReadGrant,
  { label, accountIds, postedOnly = false }: NewAccess,
  by?: AuditContext,
): Promise<{ access: ListedAccess; setupToken: string; expiresAt: string }> => {
  const { endUserId, applicationId } = reader;
  const connectionIds = connections.map(({ id }) => id);
  await requireAccounts(db, { endUserId, connectionIds }, accountIds);
  const id = makeIdNear('sfa', endUserId);
  const { setupToken, key } = makeSetupToken(baseUrl, id);
  const now = clock.real();
  const expiresAt = addMilliseconds(now, seconds(limits.simplefinClaimMinutes * 60)).toISOString();
  const user = await findEndUser(db.read, endUserId);
  const access = {
    ...{ endUserId, id, applicationId, label },
    externalUserId: user?.externalUserId ?? null,
    createdAt: now.toISOString(),
    claimExpiresAt: expiresAt,
    lastUsedAt: null,
    postedOnly: Number(postedOnly),
  };
  const sealed = reader.sealSecret({ accountIds }, key, idsOf(access));
  await audited(db, by, async (trx) => {
    // The sweep has deleted the end user since it was authenticated, and would not find the access.
    if (!(await lockEndUser(trx, endUserId))) throw new InvalidScopedToken();
    if ((await store.countAccesses(trx, endUserId)) >= limits.simplefinAccessesMax) {
      throw new Conflict(`An end user has at most ${limits.simplefinAccessesMax} SimpleFIN accesses.`);
    }
    await insertResourceOwners(trx, [{ id, applicationId, endUserId }]);
    await store.insertAccess(trx, { ...access, sealed });
    return changeOf(access, 'simplefin_access_created');
  });
  return { access, setupToken, expiresAt };
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

const changeOf = ({ label, applicationId }: ListedAccess, action: AuditAction): AuditEntry => ({
  action,
  details: { label, application: applicationId },
});

/** A setup token that opens its access. */
export type OpenClaim = { row: SimplefinAccessRow; shared: SharedSecret };

/** What the token of a claim's address opens. Throws InvalidAccess if it is wrong, expired, claimed or revoked. */
export const openClaim = async ({ db, clock }: AccessDeps, claimToken: string): Promise<OpenClaim> => {
  const opened = await openRow(db, parseClaimToken(claimToken));
  const { claimExpiresAt } = opened.row;
  if (claimExpiresAt === null || claimExpiresAt <= clock.real().toISOString()) throw new InvalidAccess();
  if (!(await findActiveApplication(db.read, opened.row.applicationId))) throw new InvalidAccess();
  return opened;
};

/** Gives the access URL to one of all that claim an access; the others throw InvalidAccess. */
export const claimAccess = async (
  { db, clock, config }: AccessDeps,
  { row, shared }: OpenClaim,
): Promise<string> => {
  const { accessUrl, key } = makeAccessUrl(config.baseUrl, row.id);
  const sealed = sealSharedSecret(shared, key, idsOf(row));
  await db.markVacuumNeeded();
  if (!(await store.markClaimed(db.write, row, { sealed, now: clock.real().toISOString() })))
    throw new InvalidAccess();
  return accessUrl;
};

/** An access whose password was right, and what it may read. */
export type OpenedAccess = {
  row: SimplefinAccessRow;
  grant: ReadGrant;
  application: Application;
  /** All accounts of the end user if missing. */
  accountIds: ReadonlySet<string> | undefined;
};

/** What user name and password open. Throws InvalidAccess, and Forbidden if nothing can be read any more. */
export const openAccessUrl = async (
  deps: AccessDeps,
  credentials: { user: string; password: string },
): Promise<OpenedAccess> => {
  const { row, shared } = await openRow(deps.db, parsePassword(credentials));
  const opened = await openUserSecret(deps, row, shared.secret);
  return { row, ...opened, accountIds: shared.accountIds && new Set(shared.accountIds) };
};

/** What the secret of an application's end user opens. Throws InvalidAccess, and Forbidden like `openGrant`. */
export const openUserSecret = async (
  { db, clock, config }: AccessDeps,
  { applicationId, endUserId }: { applicationId: string; endUserId: string },
  secret: Buffer,
): Promise<{ grant: ReadGrant; application: Application }> => {
  const [application, rows] = await Promise.all([
    findActiveApplication(db.read, applicationId),
    readGrantRows(db, { endUserId, accountId: undefined }),
  ]);
  if (!application) throw new InvalidAccess();
  const retention = { clock, application, limits: config.limits };
  return { grant: openGrant(rows, secret, applicationId, retention), application };
};

const openRow = async (db: Database, key: AccessKey | undefined): Promise<OpenClaim> => {
  const owner = key && (await findResourceOwner(db.read, key.id));
  const row = owner && (await store.findAccess(db.read, { endUserId: owner.endUserId, id: key.id }));
  if (!row) throw new InvalidAccess();
  try {
    return { row, shared: unsealSharedSecret(row.sealed, key.key, idsOf(row)) };
  } catch (error) {
    // A wrong secret and a changed row cannot be told apart.
    throw error instanceof CorruptData ? new InvalidAccess() : error;
  }
};

/** Stores that an access was used now. */
export const recordUse = ({ db, clock }: AccessDeps, { row }: OpenedAccess): Promise<void> =>
  store.markAccessUsed(db.write, row, clock.real().toISOString());

/** Deletes an access of an application, claimed or not. Throws NotFound. */
export const revokeAccess = async (
  { db }: Pick<AccessDeps, 'db'>,
  applicationId: string,
  id: string,
  by?: AuditContext,
): Promise<void> => {
  const owner = isId('sfa', id) ? await findResourceOwner(db.read, id) : undefined;
  if (owner?.applicationId !== applicationId) throw new NotFound('access');
  await db.markVacuumNeeded();
  await audited(db, by, async (trx) => {
    const access = await store.findAccess(trx, owner);
    if (access?.applicationId !== applicationId || !(await store.deleteAccess(trx, owner)))
      throw new NotFound('access');
    return changeOf(access, 'simplefin_access_revoked');
  });
};

/** Whether the setup token of an access was claimed. */
export const accessState = ({ claimExpiresAt }: ListedAccess): 'unclaimed' | 'active' =>
  claimExpiresAt === null ? 'active' : 'unclaimed';

/** One page of an application's accesses, the newest first. Throws ValidationError for a cursor of another list. */
export const listAccesses = (
  { db, clock }: Pick<AccessDeps, 'db' | 'clock'>,
  filter: { applicationId: string; externalUserId?: string },
  request: { cursor?: string; limit?: number },
): Promise<ListPage<ListedAccess>> =>
  readListPage(request, timeAndIdCursors('sfa'), (page) =>
    store.findAccesses(db.read, filter, { ...page, now: clock.real().toISOString() }),
  );
