// Queries for sign-ins in progress: challenges and attempt counts.
import type { Queries } from '../../platform/db/open.ts';
import type { SignInChallengeRow } from '../../platform/db/tables.ts';

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
  // If calls run concurrently, only the one that deletes the row gets the value.
  const isConsumed = row && (await db('sign_in_challenges').where({ id: query.id }).delete()) === 1;
  return isConsumed ? row.value : undefined;
};

/** Counts an attempt for `key` in a window that starts with the first attempt. Returns the count and the window's end. */
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
