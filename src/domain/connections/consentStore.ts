// Queries for consents and their texts. Many connections share a text; texts are never changed or deleted.
import type { Queries } from '../../platform/db/open.ts';
import type { ConsentRow } from '../../platform/db/tables.ts';

type ConnectionKey = Pick<ConsentRow, 'endUserId' | 'connectionId'>;

/** Stores a text, unless it is already stored. */
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
