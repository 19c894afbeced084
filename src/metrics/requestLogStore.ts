// Queries for the log of requests.
import type { Database, Queries } from '../db/open.ts';
import type { LoggedRequestRow } from '../db/tables.ts';
import { prefixUpperBound } from '../text.ts';

const rowsPerStatement = 100;

/** Ignores those that are stored: they are written again if a commit succeeded whose answer was lost. */
export const insertRequests = async (db: Database, rows: readonly LoggedRequestRow[]): Promise<void> => {
  await db.transaction(async (trx) => {
    for (let at = 0; at < rows.length; at += rowsPerStatement) {
      await trx('request_log')
        .insert(rows.slice(at, at + rowsPerStatement))
        .onConflict(['applicationId', 'id'])
        .ignore();
    }
  });
};

type Outcome = LoggedRequestRow['outcome'];

/** Deletes all but the newest `count` requests of an application with these outcomes. */
export const keepNewestRequests = async (
  db: Queries,
  applicationId: string,
  outcomes: readonly Outcome[],
  count: number,
): Promise<void> => {
  const matching = () => db('request_log').where({ applicationId }).whereIn('outcome', outcomes);
  const newestToDelete = matching().orderBy('id', 'desc').offset(count).limit(1).select('id');
  await matching().where('id', '<=', newestToDelete).delete();
};

export const deleteRequestsBefore = async (db: Queries, time: string): Promise<void> => {
  await db('request_log').where('at', '<', time).delete();
};

export type RequestFilter = { requestId?: string; outcome?: Outcome; operation?: string };

/** One page of the requests of an application that match, newest first, older than the one with the id `after`. */
export const findRequests = async (
  db: Queries,
  applicationId: string,
  { requestId, outcome, operation }: RequestFilter,
  page: { after?: string; limit: number },
): Promise<LoggedRequestRow[]> => {
  const query = db('request_log')
    .where({
      applicationId,
      ...(requestId !== undefined && { requestId }),
      ...(outcome !== undefined && { outcome }),
      ...(operation !== undefined && { operation }),
    })
    .orderBy('id', 'desc')
    .limit(page.limit)
    .select('*');
  if (page.after !== undefined) query.where('id', '<', page.after);
  return query;
};

/** The first `limit` requests of an application whose ids begin with `prefix`. */
export const findRequestsByPrefix = async (
  db: Queries,
  applicationId: string,
  prefix: string,
  limit: number,
): Promise<LoggedRequestRow[]> =>
  db('request_log')
    .where({ applicationId })
    .where('requestId', '>=', prefix)
    .where('requestId', '<', prefixUpperBound(prefix)!)
    .orderBy('requestId')
    .limit(limit)
    .select('*');
