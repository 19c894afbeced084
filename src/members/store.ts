// The questions asked about members, their roles and how they sign in.
import type { Queries } from '../db/open.ts';
import type { Member, Membership, Role } from './member.ts';

const memberColumns = {
  id: 'members.id',
  email: 'members.email',
  name: 'members.name',
  passwordHash: 'members.password_hash',
  openidSubject: 'members.openid_subject',
  createdAt: 'members.created_at',
};

export const insertMember = async (db: Queries, member: Member): Promise<void> => {
  await db('members').insert({
    id: member.id,
    email: member.email,
    name: member.name,
    password_hash: member.passwordHash,
    openid_subject: member.openidSubject,
    created_at: member.createdAt,
  });
};

export const findMember = async (
  db: Queries,
  by: { id: string } | { email: string } | { openid_subject: string },
): Promise<Member | undefined> => db('members').where(by).first(memberColumns);

export const isAnyMember = async (db: Queries): Promise<boolean> =>
  (await db('memberships').first('member_id')) !== undefined;

export const updateMember = async (
  db: Queries,
  id: string,
  change: { name?: string; password_hash?: string | null; openid_subject?: string },
): Promise<void> => {
  await db('members').where({ id }).update(change);
};

export const insertMembership = async (db: Queries, membership: Membership): Promise<boolean> => {
  const inserted = await db('memberships')
    .insert({
      organization_id: membership.organizationId,
      member_id: membership.memberId,
      role: membership.role,
      created_at: membership.createdAt,
    })
    .onConflict(['organization_id', 'member_id'])
    .ignore()
    .returning('member_id');
  return inserted.length === 1;
};

export const findRole = async (
  db: Queries,
  organizationId: string,
  memberId: string,
): Promise<Role | undefined> => {
  const row = await db('memberships')
    .where({ organization_id: organizationId, member_id: memberId })
    .first('role');
  return row?.role;
};

export type OwnOrganization = { id: string; name: string; role: Role };

export const findOwnOrganizations = async (db: Queries, memberId: string): Promise<OwnOrganization[]> =>
  db('memberships')
    .join('organizations', 'organizations.id', 'memberships.organization_id')
    .where({ member_id: memberId })
    .orderBy(['organizations.name', 'organizations.id'])
    .select('organizations.id', 'organizations.name', 'memberships.role');

export type ListedMember = Pick<Member, 'id' | 'email' | 'name'> & {
  role: Role;
  joinedAt: string;
  lastSeenAt: string | null;
};

/** The members of an organization, or one of them, in the order in which they joined. */
export const findMembers = async (
  db: Queries,
  organizationId: string,
  memberId?: string,
): Promise<ListedMember[]> => {
  const lastSeen = db('member_sessions').whereRaw('member_id = members.id').max('last_used_at');
  const query = db('memberships')
    .join('members', 'members.id', 'memberships.member_id')
    .where({ organization_id: organizationId })
    .orderBy(['memberships.created_at', 'members.id'])
    .select('members.id', 'email', 'name', 'role', {
      joinedAt: 'memberships.created_at',
      lastSeenAt: lastSeen as unknown as string,
    });
  if (memberId !== undefined) query.where('members.id', memberId);
  return query;
};

/** The owners, held until the transaction ends: of two who leave at once, one sees that the other is gone. */
export const holdOwners = async (trx: Queries, organizationId: string): Promise<string[]> =>
  trx('memberships')
    .where({ organization_id: organizationId, role: 'owner' })
    .orderBy('member_id')
    .forUpdate()
    .pluck('member_id');

export const updateRole = async (
  db: Queries,
  of: { organizationId: string; memberId: string },
  role: Role,
): Promise<void> => {
  await db('memberships')
    .where({ organization_id: of.organizationId, member_id: of.memberId })
    .update({ role });
};

export const deleteMembership = async (
  db: Queries,
  of: { organizationId: string; memberId: string },
): Promise<void> => {
  await db('memberships').where({ organization_id: of.organizationId, member_id: of.memberId }).delete();
};

export type Link = {
  id: string;
  tokenHash: string;
  kind: 'invitation' | 'reset';
  organizationId: string | null;
  email: string;
  role: Role | null;
  createdAt: string;
  expiresAt: string;
};

const linkColumns = {
  id: 'id',
  tokenHash: 'token_hash',
  kind: 'kind',
  organizationId: 'organization_id',
  email: 'email',
  role: 'role',
  createdAt: 'created_at',
  expiresAt: 'expires_at',
};

/** Makes a link; an earlier one of the same kind for the same email and organization ends. */
export const replaceLink = async (trx: Queries, link: Link): Promise<void> => {
  const { kind, email, organizationId } = link;
  await trx('member_links').where({ kind, email, organization_id: organizationId }).delete();
  const row = Object.entries(linkColumns).map(([name, column]) => [column, link[name as keyof Link]]);
  await trx('member_links').insert(Object.fromEntries(row));
};

export const findLink = async (
  db: Queries,
  by: { tokenHash: string; kind: Link['kind']; now: string },
): Promise<Link | undefined> =>
  db('member_links')
    .where({ token_hash: by.tokenHash, kind: by.kind })
    .where('expires_at', '>', by.now)
    .first(linkColumns);

export const findInvitations = async (
  db: Queries,
  of: { organizationId: string } | { email: string },
  now: string,
): Promise<Link[]> => {
  const where = 'email' in of ? { email: of.email } : { organization_id: of.organizationId };
  return db('member_links')
    .where({ ...where, kind: 'invitation' })
    .where('expires_at', '>', now)
    .orderBy(['created_at', 'id'])
    .select(linkColumns);
};

/** Takes a link away; false where somebody else was faster. */
export const deleteLink = async (db: Queries, link: { id: string }): Promise<boolean> =>
  (await db('member_links').where({ id: link.id }).delete()) === 1;

/** Takes away every reset link of an email: its password has been chosen. */
export const deleteResetLinks = async (db: Queries, email: string): Promise<void> => {
  await db('member_links').where({ email, kind: 'reset' }).delete();
};

export type Passkey = {
  id: string;
  memberId: string;
  credentialId: string;
  publicKey: Buffer;
  counter: number;
  transports: string;
  name: string;
  createdAt: string;
  lastUsedAt: string | null;
};

const passkeyColumns = {
  id: 'id',
  memberId: 'member_id',
  credentialId: 'credential_id',
  publicKey: 'public_key',
  counter: 'counter',
  transports: 'transports',
  name: 'name',
  createdAt: 'created_at',
  lastUsedAt: 'last_used_at',
};

export const insertPasskey = async (db: Queries, passkey: Passkey): Promise<boolean> => {
  const row = Object.entries(passkeyColumns).map(([name, column]) => [
    column,
    passkey[name as keyof Passkey],
  ]);
  const inserted = await db('passkeys')
    .insert(Object.fromEntries(row))
    .onConflict('credential_id')
    .ignore()
    .returning('id');
  return inserted.length === 1;
};

export const findPasskeys = async (db: Queries, memberId: string): Promise<Passkey[]> =>
  db('passkeys').where({ member_id: memberId }).orderBy(['created_at', 'id']).select(passkeyColumns);

export const findPasskey = async (db: Queries, credentialId: string): Promise<Passkey | undefined> => {
  const row = await db('passkeys').where({ credential_id: credentialId }).first(passkeyColumns);
  // PostgreSQL gives large integers as text.
  return row && { ...row, counter: Number(row.counter) };
};

/** Notes a use; false where the counter did not move on from what we know, as a copied authenticator's would not. */
export const markPasskeyUsed = async (
  db: Queries,
  passkey: Passkey,
  use: { counter: number; now: Date },
): Promise<boolean> => {
  const changed = await db('passkeys')
    .where({ id: passkey.id, counter: passkey.counter })
    .update({ counter: use.counter, last_used_at: use.now.toISOString() });
  return changed === 1;
};

export const deletePasskeys = async (db: Queries, of: { memberId: string; id?: string }): Promise<number> => {
  const query = db('passkeys').where({ member_id: of.memberId });
  if (of.id !== undefined) query.where({ id: of.id });
  return query.delete();
};

export type Challenge = {
  id: string;
  kind: 'passkey' | 'new_passkey' | 'openid';
  memberId: string | null;
  value: string;
  expiresAt: string;
};

/** Keeps a challenge, and forgets those that nobody came back for. */
export const insertChallenge = async (db: Queries, challenge: Challenge, now: Date): Promise<void> => {
  await db('sign_in_challenges').where('expires_at', '<=', now.toISOString()).delete();
  await db('sign_in_challenges').insert({
    id: challenge.id,
    kind: challenge.kind,
    member_id: challenge.memberId,
    value: challenge.value,
    expires_at: challenge.expiresAt,
  });
};

/** A challenge's value, once. */
export const takeChallenge = async (
  db: Queries,
  wanted: { id: string; kind: Challenge['kind']; memberId: string | null; now: Date },
): Promise<string | undefined> => {
  const [taken] = await db('sign_in_challenges')
    .where({ id: wanted.id, kind: wanted.kind, member_id: wanted.memberId })
    .where('expires_at', '>', wanted.now.toISOString())
    .delete(['value']);
  return taken?.value;
};

/** Counts a try under this key in a window that begins with the first; gives the count and the window's end. */
export const countTry = async (
  db: Queries,
  key: string,
  window: { now: string; until: string },
): Promise<{ count: number; until: string }> => {
  const { now, until } = window;
  const [row] = await db('sign_in_tries')
    .insert({ key, count: 1, until })
    .onConflict('key')
    .merge({
      count: db.raw('case when sign_in_tries.until <= ? then 1 else sign_in_tries.count + 1 end', [now]),
      until: db.raw('case when sign_in_tries.until <= ? then ? else sign_in_tries.until end', [now, until]),
    })
    .returning(['count', 'until']);
  return row;
};

export const forgetTries = async (db: Queries, key: string): Promise<void> => {
  await db('sign_in_tries').where({ key }).delete();
};

export type SessionRow = {
  id: string;
  secretHash: string;
  memberId: string;
  method: string;
  browser: string;
  address: string;
  createdAt: string;
  lastUsedAt: string;
  expiresAt: string;
};

const sessionColumns = {
  id: 'member_sessions.id',
  secretHash: 'secret_hash',
  memberId: 'member_id',
  method: 'method',
  browser: 'browser',
  address: 'address',
  createdAt: 'member_sessions.created_at',
  lastUsedAt: 'last_used_at',
  expiresAt: 'expires_at',
};

export const insertSession = async (db: Queries, session: SessionRow): Promise<void> => {
  await db('member_sessions').insert({
    id: session.id,
    secret_hash: session.secretHash,
    member_id: session.memberId,
    method: session.method,
    browser: session.browser,
    address: session.address,
    created_at: session.createdAt,
    last_used_at: session.lastUsedAt,
    expires_at: session.expiresAt,
  });
};

/** A session that has neither ended nor been left unused, and its member. */
export const findSession = async (
  db: Queries,
  secretHash: string,
  alive: { now: string; usedAfter: string },
): Promise<{ session: SessionRow; member: Member } | undefined> => {
  const row = await db('member_sessions')
    .join('members', 'members.id', 'member_sessions.member_id')
    .where({ secret_hash: secretHash })
    .where('expires_at', '>', alive.now)
    .where('last_used_at', '>', alive.usedAfter)
    .first({
      ...sessionColumns,
      email: 'email',
      name: 'name',
      passwordHash: 'password_hash',
      openidSubject: 'openid_subject',
      joinedAt: 'members.created_at',
    });
  if (!row) return undefined;
  const { email, name, passwordHash, openidSubject, joinedAt, ...session } = row;
  return {
    session,
    member: { id: row.memberId, email, name, passwordHash, openidSubject, createdAt: joinedAt },
  };
};

export const findSessions = async (
  db: Queries,
  memberId: string,
  alive: { now: string; usedAfter: string },
): Promise<SessionRow[]> =>
  db('member_sessions')
    .where({ member_id: memberId })
    .where('expires_at', '>', alive.now)
    .where('last_used_at', '>', alive.usedAfter)
    .orderBy('last_used_at', 'desc')
    .select(sessionColumns);

export const touchSession = async (db: Queries, id: string, now: Date): Promise<void> => {
  await db('member_sessions').where({ id }).update({ last_used_at: now.toISOString() });
};

/** Ends sessions of a member: one, all, or all but one. */
export const deleteSessions = async (
  db: Queries,
  of: { memberId: string; id?: string; except?: string },
): Promise<number> => {
  const query = db('member_sessions').where({ member_id: of.memberId });
  if (of.id !== undefined) query.where({ id: of.id });
  if (of.except !== undefined) query.whereNot({ id: of.except });
  return query.delete();
};

export const deleteOldSessions = async (
  db: Queries,
  dead: { now: string; usedBefore: string },
): Promise<void> => {
  await db('member_sessions')
    .where('expires_at', '<=', dead.now)
    .orWhere('last_used_at', '<=', dead.usedBefore)
    .delete();
  await db('sign_in_tries').where('until', '<=', dead.now).delete();
  await db('member_links').where('expires_at', '<=', dead.now).delete();
};
