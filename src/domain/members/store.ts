// Queries for members with their memberships, tokens, sessions, passkeys, sign-in challenges and attempts.
import type { Queries } from '../../platform/db/open.ts';
import type {
  MemberSessionRow,
  MembershipRow,
  MemberTokenRow,
  PasskeyRow,
  SignInChallengeRow,
} from '../../platform/db/tables.ts';
import type { Member, Role } from './member.ts';

export const insertMember = async (db: Queries, member: Member): Promise<void> => {
  await db('members').insert(member);
};

export const findMember = async (
  db: Queries,
  key: { id: string } | { email: string } | { oidcSubject: string },
): Promise<Member | undefined> => db('members').where(key).first('*');

export const hasAnyMember = async (db: Queries): Promise<boolean> =>
  (await db('memberships').first('memberId')) !== undefined;

export const updateMember = async (
  db: Queries,
  id: string,
  change: Partial<Pick<Member, 'name' | 'passwordHash' | 'oidcSubject'>>,
): Promise<void> => {
  await db('members').where({ id }).update(change);
};

/** Stores a membership, unless the member has one in the organization. */
export const insertMembership = async (db: Queries, membership: MembershipRow): Promise<void> => {
  await db('memberships').insert(membership).onConflict(['organizationId', 'memberId']).ignore();
};

export const findRole = async (
  db: Queries,
  organizationId: string,
  memberId: string,
): Promise<Role | undefined> => {
  const row = await db('memberships').where({ organizationId, memberId }).first('role');
  return row?.role;
};

/** An organization of a member, with the member's role in it, and since when it requires passkeys. */
export type MemberOrganization = { id: string; name: string; role: Role; passkeysRequiredAt: string | null };

export const findMemberOrganizations = async (db: Queries, memberId: string): Promise<MemberOrganization[]> =>
  db('memberships')
    .join('organizations', 'organizations.id', 'memberships.organizationId')
    .where({ memberId })
    .orderBy(['organizations.name', 'organizations.id'])
    .select('organizations.id', 'organizations.name', 'organizations.passkeysRequiredAt', 'memberships.role');

/** Whether one of the member's organizations requires passkeys. */
export const isPasskeyRequired = async (db: Queries, memberId: string): Promise<boolean> =>
  (await db('memberships')
    .join('organizations', 'organizations.id', 'memberships.organizationId')
    .where({ memberId })
    .whereNotNull('organizations.passkeysRequiredAt')
    .first('organizations.id')) !== undefined;

/** Requires passkeys of an organization's members, or with null no longer; false if that had been done before. */
export const updatePasskeysRequiredAt = async (
  db: Queries,
  id: string,
  passkeysRequiredAt: string | null,
): Promise<boolean> => {
  const query = db('organizations').where({ id });
  if (passkeysRequiredAt === null) query.whereNotNull('passkeysRequiredAt');
  else query.whereNull('passkeysRequiredAt');
  return (await query.update({ passkeysRequiredAt })) === 1;
};

/**
 * Locks a member until the transaction ends, so that two requests cannot both add a first passkey or remove the last. False if
 * the password has changed since the member was read, which has ended the sessions of that time.
 */
export const lockUnchangedMember = async (trx: Queries, member: Member): Promise<boolean> => {
  const current = await trx('members').where({ id: member.id }).forUpdate().first('passwordHash');
  return current?.passwordHash === member.passwordHash;
};

export type ListedMember = Pick<Member, 'id' | 'email' | 'name'> & {
  role: Role;
  joinedAt: string;
  lastSeenAt: string | null;
};

/** The members of an organization, or only `memberId`, in the order in which they joined. */
export const findMembers = async (
  db: Queries,
  organizationId: string,
  memberId?: string,
): Promise<ListedMember[]> => {
  const lastSeen = db('member_sessions').whereRaw('member_id = members.id').max('lastUsedAt');
  const query = db('memberships')
    .join('members', 'members.id', 'memberships.memberId')
    .where({ organizationId })
    .orderBy(['memberships.createdAt', 'members.id'])
    .select('members.id', 'email', 'name', 'role', {
      joinedAt: 'memberships.createdAt',
      lastSeenAt: lastSeen as unknown as string,
    });
  if (memberId !== undefined) query.where('members.id', memberId);
  return query;
};

/** Locks the owners until the transaction ends, so that two of them cannot leave at the same time. */
export const lockOwners = async (trx: Queries, organizationId: string): Promise<string[]> =>
  trx('memberships')
    .where({ organizationId, role: 'owner' })
    .orderBy('memberId')
    .forUpdate()
    .pluck('memberId');

export type MembershipKey = Pick<MembershipRow, 'organizationId' | 'memberId'>;

export const updateRole = async (
  db: Queries,
  { organizationId, memberId }: MembershipKey,
  role: Role,
): Promise<void> => {
  await db('memberships').where({ organizationId, memberId }).update({ role });
};

export const deleteMembership = async (
  db: Queries,
  { organizationId, memberId }: MembershipKey,
): Promise<void> => {
  await db('memberships').where({ organizationId, memberId }).delete();
};

/** Whether a member has joined an organization after this time (ISO 8601). */
export const hasJoinedSince = async (db: Queries, memberId: string, since: string): Promise<boolean> =>
  (await db('memberships').where({ memberId }).where('createdAt', '>', since).pluck('memberId')).length > 0;

export type MemberToken = MemberTokenRow;

/** Stores a token; replaces an earlier one of the same kind, email and organization. */
export const replaceMemberToken = async (trx: Queries, memberToken: MemberToken): Promise<void> => {
  const { kind, email, organizationId } = memberToken;
  await trx('member_tokens').where({ kind, email, organizationId }).delete();
  await trx('member_tokens').insert(memberToken);
};

export const findMemberToken = async (
  db: Queries,
  key: Pick<MemberToken, 'tokenHash' | 'kind'>,
  now: string,
): Promise<MemberToken | undefined> => db('member_tokens').where(key).where('expiresAt', '>', now).first('*');

export const findInvitations = async (
  db: Queries,
  filter: { organizationId: string } | { email: string },
  now: string,
): Promise<MemberToken[]> =>
  db('member_tokens')
    .where({ ...filter, kind: 'invitation' })
    // The first owner's invitation has no email and cannot be revoked.
    .whereNot({ email: '' })
    .where('expiresAt', '>', now)
    .orderBy(['createdAt', 'id'])
    .select('*');

/** When the link for an organization's first owner was created. */
export const findFirstOwnerInvitedAt = async (
  db: Queries,
  organizationId: string,
): Promise<string | undefined> =>
  (await db('member_tokens').where({ kind: 'invitation', email: '', organizationId }).first('createdAt'))
    ?.createdAt;

/** Deletes a token; false if a concurrent call has deleted it. */
export const deleteMemberToken = async (db: Queries, token: { id: string }): Promise<boolean> =>
  (await db('member_tokens').where({ id: token.id }).delete()) === 1;

/** Deletes all reset tokens of an email. */
export const deleteResetTokens = async (db: Queries, email: string): Promise<void> => {
  await db('member_tokens').where({ email, kind: 'reset' }).delete();
};

/** Deletes the reset tokens of all members of an organization. */
export const deleteResetTokensIn = async (db: Queries, organizationId: string): Promise<void> => {
  const memberIds = db('memberships').where({ organizationId }).select('memberId');
  const emails = db('members').whereIn('id', memberIds).select('email');
  await db('member_tokens').where({ kind: 'reset' }).whereIn('email', emails).delete();
};

/** Deletes the invitations of a member to an organization: one may be left from when they joined. */
export const deleteInvitations = async (db: Queries, key: MembershipKey): Promise<void> => {
  const { organizationId, memberId } = key;
  const email = db('members').where({ id: memberId }).select('email');
  await db('member_tokens').where({ kind: 'invitation', organizationId }).whereIn('email', email).delete();
};

export type Passkey = PasskeyRow;

/** Stores a passkey; false if its credential is stored already. */
export const insertPasskey = async (db: Queries, passkey: Passkey): Promise<boolean> => {
  const inserted = await db('passkeys').insert(passkey).onConflict('credentialId').ignore().returning('id');
  return inserted.length === 1;
};

export const findPasskeys = async (db: Queries, memberId: string): Promise<Passkey[]> =>
  db('passkeys').where({ memberId }).orderBy(['createdAt', 'id']).select('*');

export const findPasskey = async (db: Queries, credentialId: string): Promise<Passkey | undefined> => {
  const row = await db('passkeys').where({ credentialId }).first('*');
  // PostgreSQL returns large integers as text.
  return row && { ...row, counter: Number(row.counter) };
};

/** Stores a use with its new counter. Returns false if another use has changed the counter meanwhile. */
export const markPasskeyUsed = async (
  db: Queries,
  passkey: Passkey,
  use: { counter: number; now: Date },
): Promise<boolean> => {
  const changed = await db('passkeys')
    .where({ id: passkey.id, counter: passkey.counter })
    .update({ counter: use.counter, lastUsedAt: use.now.toISOString() });
  return changed === 1;
};

export const deletePasskeys = async (
  db: Queries,
  filter: { memberId: string; id?: string },
): Promise<number> => {
  const query = db('passkeys').where({ memberId: filter.memberId });
  if (filter.id !== undefined) query.where({ id: filter.id });
  return query.delete();
};

export type SignInChallenge = SignInChallengeRow;

/** Stores a challenge and deletes expired ones. */
export const insertSignInChallenge = async (
  db: Queries,
  challenge: SignInChallenge,
  now: Date,
): Promise<void> => {
  await db('sign_in_challenges').where('expiresAt', '<=', now.toISOString()).delete();
  await db('sign_in_challenges').insert(challenge);
};

/** Deletes a challenge and returns its value; undefined if it does not exist, is expired or was used. */
export const consumeSignInChallenge = async (
  db: Queries,
  query: { id: string; kind: SignInChallenge['kind']; memberId: string | null; now: Date },
): Promise<string | undefined> => {
  const row = await db('sign_in_challenges')
    .where({ id: query.id, kind: query.kind, memberId: query.memberId })
    .where('expiresAt', '>', query.now.toISOString())
    .first('value');
  // Of two concurrent calls, only the one that deletes the row gets the value.
  const isConsumed = row && (await db('sign_in_challenges').where({ id: query.id }).delete()) === 1;
  return isConsumed ? row.value : undefined;
};

/** Counts an attempt of `key` in a window that begins with the first one. Returns the count and the window's end. */
export const incrementSignInAttempts = async (
  db: Queries,
  key: string,
  windowEndsAt: string,
): Promise<{ count: number; windowEndsAt: string }> => {
  const [row] = await db('sign_in_attempts')
    .insert({ key, count: 1, windowEndsAt })
    .onConflict('key')
    .merge({ count: db.raw('sign_in_attempts.count + 1') })
    .returning(['count', 'windowEndsAt']);
  return row!;
};

export const findSignInAttempts = async (db: Queries, key: string): Promise<number> =>
  (await db('sign_in_attempts').where({ key }).first('count'))?.count ?? 0;

export const deleteSignInAttempts = async (db: Queries, key: string): Promise<void> => {
  await db('sign_in_attempts').where({ key }).delete();
};

export const deleteExpiredSignInAttempts = async (db: Queries, now: Date): Promise<void> => {
  await db('sign_in_attempts').where('windowEndsAt', '<=', now.toISOString()).delete();
};

export type MemberSession = MemberSessionRow;

export const insertMemberSession = async (db: Queries, session: MemberSession): Promise<void> => {
  await db('member_sessions').insert(session);
};

type ActiveBounds = { now: string; usedAfter: string };

const activeSessions = (db: Queries, { now, usedAfter }: ActiveBounds) =>
  db('member_sessions').where('expiresAt', '>', now).where('lastUsedAt', '>', usedAfter);

/** A session that has not expired, and its member. */
export const findMemberSession = async (
  db: Queries,
  secretHash: string,
  active: ActiveBounds,
): Promise<{ session: MemberSession; member: Member } | undefined> => {
  const session = await activeSessions(db, active).where({ secretHash }).first('*');
  const member = session && (await db('members').where({ id: session.memberId }).first('*'));
  return member && { session, member };
};

export const findMemberSessions = async (
  db: Queries,
  memberId: string,
  active: ActiveBounds,
): Promise<MemberSession[]> =>
  activeSessions(db, active).where({ memberId }).orderBy('lastUsedAt', 'desc').select('*');

export const touchMemberSession = async (db: Queries, id: string, now: Date): Promise<void> => {
  await db('member_sessions').where({ id }).update({ lastUsedAt: now.toISOString() });
};

/** Changes how a session counts as opened. */
export const updateSessionMethod = async (
  db: Queries,
  id: string,
  method: MemberSession['method'],
): Promise<void> => {
  await db('member_sessions').where({ id }).update({ method });
};

/** Deletes sessions of a member: all, only `id`, or all except `except`. Returns how many. */
export const deleteMemberSessions = async (
  db: Queries,
  filter: { memberId: string; id?: string; except?: string },
): Promise<number> => {
  const query = db('member_sessions').where({ memberId: filter.memberId });
  if (filter.id !== undefined) query.where({ id: filter.id });
  if (filter.except !== undefined) query.whereNot({ id: filter.except });
  return query.delete();
};

/** Deletes expired sessions and member tokens. */
export const deleteExpiredSignInState = async (
  db: Queries,
  expired: { now: string; usedBefore: string },
): Promise<void> => {
  await db('member_sessions')
    .where('expiresAt', '<=', expired.now)
    .orWhere('lastUsedAt', '<=', expired.usedBefore)
    .delete();
  await db('member_tokens').where('expiresAt', '<=', expired.now).delete();
};
