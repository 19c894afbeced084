// The commands that list, show and revoke connections. They show no data from the institution.
import { byOperator } from '../../domain/audit/by.ts';
import { countTransactions } from '../../domain/connections/bankDataStore.ts';
import { connectionState, decodeLaggingAccountIds, isExpired } from '../../domain/connections/connection.ts';
import { findJob, pausedUntil } from '../../domain/connections/jobs.ts';
import { revokeConnection } from '../../domain/connections/revokeConnection.ts';
import {
  type ConnectionEvent,
  type ConnectionWithUser,
  findConnectionEvents,
  findConnectionsPage,
} from '../../domain/connections/store.ts';
import { institutionOf } from '../../domain/institutions/registry.ts';
import { findEndUser } from '../../domain/users/store.ts';
import { findAccountRows } from '../../flows/refresh/accountStore.ts';
import { addMilliseconds, days } from '../../platform/values/clock.ts';
import { UsageError } from '../../platform/values/errors.ts';
import type { Service } from '../../service.ts';
import { formatTime, integerOption, keyValueTable, nextPageHint, table } from './command.ts';
import { lookupApplication, lookupConnection } from './lookup.ts';
import { defineServiceCommand } from './service.ts';

type ListInput = { application?: string; externalUser?: string; limit: number; after?: string };

const list = defineServiceCommand({
  summary: 'list the connections of an application or of an end user, oldest first',
  options: (command) =>
    command
      .option('--external-user <id>', "the application's own id for the end user")
      .option('--application <application>', 'the application (app_…)')
      .option('--limit <count>', 'the maximum number of results', integerOption(1, 1000), 50)
      .option('--after <connection>', 'start after this connection (con_…)'),
  run: async (service, { application, externalUser, limit, after }: ListInput) => {
    if (application === undefined && externalUser === undefined)
      throw new UsageError('Set --external-user, --application, or both.');
    const found = await findKept(service, {
      applicationId:
        application === undefined ? undefined : (await lookupApplication(service, application)).id,
      externalUserId: externalUser,
      after: after === undefined ? undefined : (await lookupConnection(service, after)).connection,
      limit: limit + 1,
    });
    const connections = found.slice(0, limit).map((connection) => toJson(service, connection));
    const next = found.length > limit ? connections.at(-1)!.connectionId : undefined;
    const rows = connections.map((one) => [
      ...[one.connectionId, formatState(one), formatTime(one.createdAt), formatTime(one.refreshedAt)],
      ...[one.institution.name, one.externalUserId],
    ]);
    const headings = ['CONNECTION', 'STATE', 'CREATED', 'REFRESHED', 'INSTITUTION', 'EXTERNAL USER'];
    return {
      json: { connections, ...(next && { next }) },
      text: [...table(headings, rows, 'No matching connections.'), ...nextPageHint(next)],
    };
  },
});

type Page = Parameters<typeof findConnectionsPage>[1];

/** A page without connections that the next sweep deletes, so that `--after` finds its last connection. */
const findKept = async (service: Service, page: Page): Promise<ConnectionWithUser[]> => {
  const found = await findConnectionsPage(service.db.read, page);
  const kept = found.filter((connection) => !isPastRetention(service, connection));
  if (kept.length === page.limit || found.length < page.limit) return kept;
  return [...kept, ...(await findKept(service, { ...page, after: found.at(-1) }))].slice(0, page.limit);
};

const isPastRetention = ({ clock, config }: Service, connection: ConnectionWithUser): boolean =>
  isExpired(connection, { clock, application: connection, limits: config.limits });

const toJson = ({ registry }: Service, connection: ConnectionWithUser) => ({
  connectionId: connection.id,
  applicationId: connection.applicationId,
  externalUserId: connection.externalUserId,
  institution: institutionOf(registry, connection.environment, connection),
  state: connectionState(connection),
  reconnectReason: connection.reconnectReason,
  createdAt: connection.createdAt,
  refreshedAt: connection.refreshedAt,
  revokedAt: connection.revokedAt,
});

const formatState = (one: { state: string; reconnectReason: string | null }): string =>
  one.reconnectReason ? `${one.state} (${one.reconnectReason})` : one.state;

const show = defineServiceCommand({
  summary: 'show a connection, its state and the reason for it, and its next refresh',
  options: (command) => command.argument('<connection>', 'the id of the connection (con_…)'),
  run: async (service, { connection }: { connection: string }) => {
    const details = await readConnection(service, connection);
    return { json: details, text: formatConnection(details) };
  },
});

const readConnection = async (service: Service, id: string) => {
  const { db, clock, config } = service;
  const { connection, application } = await lookupConnection(service, id);
  const { endUserId, revokedAt } = connection;
  const endUser = await findEndUser(db.read, endUserId);
  const accounts = await findAccountRows(db.read, { endUserId, connectionId: id });
  const shortIds = accounts.map(({ shortId }) => shortId);
  const job = await findJob(db.read, id);
  const events = await findConnectionEvents(db.read, { endUserId, connectionId: id });
  const isRunning = job?.leaseExpiresAt && job.leaseExpiresAt >= clock.real().toISOString();
  return {
    connectionId: id,
    state: connectionState(connection),
    reconnectReason: connection.reconnectReason,
    institution: institutionOf(service.registry, application.environment, connection),
    application: { id: application.id, name: application.name, environment: application.environment },
    user: { id: endUserId, externalUserId: endUser?.externalUserId ?? null },
    accounts: accounts.length,
    laggingAccountIds: decodeLaggingAccountIds(connection),
    withdrawnTransactions: connection.withdrawnTransactions,
    doubtedReadings: connection.doubtedReadings,
    duplicateOf: connection.duplicateOf,
    transactions: await countTransactions(db.read, { endUserId, shortIds }),
    createdAt: connection.createdAt,
    refreshedAt: connection.refreshedAt,
    refreshedFullyAt: connection.refreshedFullyAt,
    refresh: job
      ? {
          running: Boolean(isRunning),
          dueAt: job.dueAt,
          attempts: job.attempts,
          pausedUntil: pausedUntil(job),
          lastFailure: job.lastFailure,
          lastFailedAt: job.lastFailedAt,
        }
      : null,
    revokedAt,
    readableUntil:
      revokedAt && addMilliseconds(new Date(revokedAt), days(config.limits.retentionDays)).toISOString(),
    events,
  };
};

const formatConnection = (details: Awaited<ReturnType<typeof readConnection>>): string[] => {
  const { refresh, application, institution } = details;
  const lastFailure = refresh?.lastFailure && `${refresh.lastFailure} at ${formatTime(refresh.lastFailedAt)}`;
  return [
    ...keyValueTable([
      ['Connection', details.connectionId],
      ['State', formatState(details)],
      ['Institution', `${institution.name} (${institution.id})`],
      ['Application', `${application.name} (${application.id}, ${application.environment})`],
      ['External user', details.user.externalUserId ?? '(anonymous)'],
      ['Accounts', details.accounts],
      ['Lagging accounts', details.laggingAccountIds.join(', ')],
      ['Withdrawn transactions', details.withdrawnTransactions || undefined],
      ['Doubted readings', details.doubtedReadings || undefined],
      ['Duplicate of', details.duplicateOf],
      ['Transactions', details.transactions],
      ['Created', formatTime(details.createdAt)],
      ['Refreshed', formatTime(details.refreshedAt)],
      ['Fully refreshed', formatTime(details.refreshedFullyAt)],
      ['Last failure', lastFailure],
      ['Paused by the bank until', formatTime(refresh?.pausedUntil ?? null)],
      ['Next refresh', refresh && (refresh.running ? 'running now' : formatTime(refresh.dueAt))],
      ['Revoked', formatTime(details.revokedAt)],
      ['Readable until', formatTime(details.readableUntil)],
    ]),
    ...formatEvents(details.events),
  ];
};

const eventsMax = 20;

const formatEvents = (events: readonly ConnectionEvent[]): string[] => {
  if (events.length === 0) return [];
  const rows = events
    .slice(0, eventsMax)
    .map(({ at, kind, reason, actor }) => [formatTime(at), kind, reason ?? actor]);
  return ['', ...table(['HISTORY', '', ''], rows)];
};

const revoke = defineServiceCommand({
  summary: 'revoke a connection: refreshes stop, and its data stays for the retention period',
  options: (command) => command.argument('<connection>', 'the id of the connection (con_…)'),
  run: async (service, { connection: id }: { connection: string }) => {
    const { connectionEventsMax: eventsMax, retentionDays } = service.config.limits;
    const { application, retention } = await lookupConnection(service, id);
    const by = byOperator(application.organizationId, service.clock.real());
    const { canRevoke } = service.registry;
    await revokeConnection(service.db, retention, id, { by, eventsMax, canRevoke });
    const { revokedAt } = (await lookupConnection(service, id)).connection;
    return {
      json: { connectionId: id, revokedAt },
      text: keyValueTable([
        ['Connection', id],
        ['Revoked', formatTime(revokedAt)],
        ['Readable for', `${retentionDays} days from then`],
      ]),
    };
  },
});

export const connectionCommands = { list, show, revoke };
