// The questions asked about ways in: passkeys, challenges under way, and how often somebody tried.
import type { Queries } from '../db/open.ts';

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

export type SignInChallenge = {
  id: string;
  kind: 'passkey' | 'new_passkey' | 'oidc';
  memberId: string | null;
  value: string;
  expiresAt: string;
};

/** Keeps a challenge, and forgets those that nobody came back for. */
export const insertSignInChallenge = async (
  db: Queries,
  challenge: SignInChallenge,
  now: Date,
): Promise<void> => {
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
export const consumeSignInChallenge = async (
  db: Queries,
  wanted: { id: string; kind: SignInChallenge['kind']; memberId: string | null; now: Date },
): Promise<string | undefined> => {
  const row = await db('sign_in_challenges')
    .where({ id: wanted.id, kind: wanted.kind, member_id: wanted.memberId })
    .where('expires_at', '>', wanted.now.toISOString())
    .first('value');
  // Of two who come with it, the one who deletes it has it.
  const taken = row && (await db('sign_in_challenges').where({ id: wanted.id }).delete()) === 1;
  return taken ? row.value : undefined;
};

/** Counts a try under this key in a window that begins with the first; gives the count and the window's end. */
export const incrementSignInAttempts = async (
  db: Queries,
  key: string,
  window: { now: string; until: string },
): Promise<{ count: number; until: string }> => {
  const { now, until } = window;
  const [row] = await db('sign_in_attempts')
    .insert({ key, count: 1, window_ends_at: until })
    .onConflict('key')
    .merge({
      count: db.raw(
        'case when sign_in_attempts.window_ends_at <= ? then 1 else sign_in_attempts.count + 1 end',
        [now],
      ),
      window_ends_at: db.raw(
        'case when sign_in_attempts.window_ends_at <= ? then ? else sign_in_attempts.window_ends_at end',
        [now, until],
      ),
    })
    .returning(['count', 'window_ends_at as until']);
  return row;
};

export const deleteSignInAttempts = async (db: Queries, key: string): Promise<void> => {
  await db('sign_in_attempts').where({ key }).delete();
};
