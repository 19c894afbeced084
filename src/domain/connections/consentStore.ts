// Queries for consents and their texts. The texts are the same for many connections, and are never changed or deleted.
import type { DbTransaction, Queries } from '../../platform/db/open.ts';
import type { ConsentRow } from '../../platform/db/tables.ts';

type ConnectionKey = Pick<ConsentRow, 'endUserId' | 'connectionId'>;

/** Stores a text, unless it is stored already. */
export const insertConsentText = async (
  db: Queries,
  text: { hash: string; text: string; createdAt: string },
): Promise<void> => {
  await db('consent_texts').insert(text).onConflict('hash').ignore();
};

/** The stored texts with these hashes, by hash. */
export const findConsentTexts = async (
  db: Queries,
  hashes: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const rows = await db('consent_texts')
    .whereIn('hash', [...new Set(hashes)])
    .select('hash', 'text');
  return new Map(rows.map(({ hash, text }) => [hash, text]));
};

export const insertConsent = async (db: Queries, consent: ConsentRow): Promise<void> => {
  await db('consents').insert(consent);
};

/** The newest consents of a connection, newest first. */
export const findConsents = async (
  db: Queries,
  { endUserId, connectionId }: ConnectionKey,
  limit: number,
): Promise<ConsentRow[]> =>
  db('consents')
    .where({ endUserId, connectionId })
    .orderBy([
      { column: 'acceptedAt', order: 'desc' },
      { column: 'linkSessionId', order: 'desc' },
    ])
    .limit(limit)
    .select('*');

/** The consents after this one, by primary key. */
export const findSignedConsents = async (
  db: Queries,
  after: ConsentRow | undefined,
  limit: number,
): Promise<ConsentRow[]> => {
  const query = db('consents')
    .orderBy(['endUserId', 'connectionId', 'linkSessionId'])
    .limit(limit)
    .select('*');
  if (after) {
    const { endUserId, connectionId, linkSessionId } = after;
    query.whereRaw('(end_user_id, connection_id, link_session_id) > (?, ?, ?)', [
      ...[endUserId, connectionId, linkSessionId],
    ]);
  }
  return query;
};

/** Replaces a signature that has not changed. */
export const replaceConsentSignature = async (
  trx: DbTransaction,
  { endUserId, connectionId, linkSessionId, signature }: ConsentRow,
  replacement: Buffer,
): Promise<void> => {
  await trx('consents')
    .where({ endUserId, connectionId, linkSessionId, signature })
    .update({ signature: replacement });
};
