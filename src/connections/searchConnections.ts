// Finds connections in all applications of an organization by the beginning of an id. Each lookup is a range of an index, so that it
// is as fast among 1,000,000 connections as among ten.
import type { Queries } from '../db/open.ts';
import { base62Length } from '../ids.ts';
import { findResourceOwnersByPrefix } from '../users/store.ts';
import type { RetentionContext } from './connection.ts';
import { toVisibility } from './listConnections.ts';
import { type ConnectionFilter, findListedConnections, type ListedConnection } from './listStore.ts';

/** An application that is searched, and which of its connections are not expired. */
export type SearchedApplication = RetentionContext & { application: { id: string } };

export type ConnectionSearch = { text: string; applications: readonly SearchedApplication[]; limit: number };

/** `con_` and at least four characters: fewer are the beginning of too many. */
const connectionIdPrefix = new RegExp(`^con_[0-9A-Za-z]{4,${base62Length}}$`);
/** Connections of all organizations share an index; more of them with one prefix than this are not looked through. */
const candidatesMax = 50;

/**
 * At most `limit` connections whose external user id or connection id begins with `text`, in the order of these ids. Of a
 * connection id at least 8 characters are needed.
 */
export const searchConnections = async (
  db: Queries,
  search: ConnectionSearch,
): Promise<ListedConnection[]> => {
  const byId = connectionIdPrefix.test(search.text) ? await searchById(db, search) : [];
  return byId.length > 0 ? byId : searchByExternalUserId(db, search);
};

const searchById = async (
  db: Queries,
  { text, applications, limit }: ConnectionSearch,
): Promise<ListedConnection[]> => {
  const found: ListedConnection[] = [];
  for (const owner of await findResourceOwnersByPrefix(db, text, candidatesMax)) {
    const retention = applications.find(({ application }) => application.id === owner.applicationId);
    if (!retention || found.length === limit) continue;
    found.push(...(await findIn(db, retention, { key: owner }, 1)));
  }
  return found;
};

const searchByExternalUserId = async (
  db: Queries,
  { text, applications, limit }: ConnectionSearch,
): Promise<ListedConnection[]> => {
  const found: ListedConnection[] = [];
  for (const retention of applications) {
    if (found.length === limit) break;
    found.push(...(await findIn(db, retention, { externalUserId: text }, limit - found.length)));
  }
  return found;
};

const findIn = (
  db: Queries,
  retention: SearchedApplication,
  filter: ConnectionFilter,
  limit: number,
): Promise<ListedConnection[]> =>
  findListedConnections(db, {
    applicationId: retention.application.id,
    visibility: toVisibility(retention),
    ...{ filter, sort: 'externalUserId', limit },
  });
