// connections show: what an operator may know of a connection. Nothing that the bank said is in it.
import { findAccountRows } from '../accounts/store.ts';
import { addMilliseconds, days } from '../clock.ts';
import { connectionState } from '../connections/connection.ts';
import { type ConnectionEvent, findConnectionEvents } from '../connections/events.ts';
import { findJob } from '../refresh/jobs.ts';
import type { Service } from '../service.ts';
import { countTransactions } from '../transactions/store.ts';
import { findEndUser } from '../users/store.ts';
import { type CommandResult, defineCommand } from './command.ts';
import { formatTime, keyValueTable, table } from './format.ts';
import { lookupConnection } from './lookup.ts';
import { withService } from './withService.ts';

export const showConnection = defineCommand({
  summary: 'show the state of a connection, why it is so, and what is next',
  options: (command) => command.argument('<connection>', 'the id of the connection (con_…)'),
  run: ({ config }, { connection: id }: { connection: string }) =>
    withService(config, async (service) => toResult(await readConnection(service, id))),
});

const readConnection = async (service: Service, id: string) => {
  const { db, clock, config } = service;
  const { connection, application } = await lookupConnection(service, id);
  const { endUserId, revokedAt } = connection;
  const user = await findEndUser(db.read, endUserId);
  const accounts = await findAccountRows(db.read, { endUserId, connectionId: id });
  const accountIds = accounts.map((account) => account.id);
  const work = await findJob(db.read, id);
  const events = await findConnectionEvents(db.read, { endUserId, connectionId: id });
  const held = work?.leaseExpiresAt && work.leaseExpiresAt >= clock.real().toISOString();
  return {
    connectionId: id,
    state: connectionState(connection),
    attention: connection.reconnectReason,
    institution: { id: connection.institutionId, name: connection.institutionName },
    application: { id: application.id, name: application.name, environment: application.environment },
    user: { id: endUserId, externalUserId: user?.externalUserId ?? null },
    accounts: accounts.length,
    transactions: await countTransactions(db.read, { endUserId, ids: accountIds }),
    createdAt: connection.createdAt,
    refreshedAt: connection.refreshedAt,
    refreshedFullyAt: connection.refreshedFullyAt,
    refresh: work
      ? {
          running: Boolean(held),
          dueAt: work.dueAt,
          attempts: work.attempts,
          lastFailure: work.lastFailure,
          lastFailedAt: work.lastFailedAt,
        }
      : null,
    revokedAt,
    readableUntil:
      revokedAt && addMilliseconds(new Date(revokedAt), days(config.limits.retentionDays)).toISOString(),
    events,
  };
};

const toResult = (shown: Awaited<ReturnType<typeof readConnection>>): CommandResult => {
  const { refresh, application, user, events } = shown;
  const state = shown.attention ? `${shown.state} (${shown.attention})` : shown.state;
  return {
    json: shown,
    text: keyValueTable([
      ['Connection', shown.connectionId],
      ['State', state],
      ['Institution', `${shown.institution.name} (${shown.institution.id})`],
      ['Application', `${application.name} (${application.id}, ${application.environment})`],
      ['External user', user.externalUserId ?? '(anonymous)'],
      ['Accounts', shown.accounts],
      ['Transactions', shown.transactions],
      ['Created', formatTime(shown.createdAt)],
      ['Refreshed', formatTime(shown.refreshedAt)],
      ['Fully refreshed', formatTime(shown.refreshedFullyAt)],
      [
        'Last failure',
        refresh?.lastFailure && `${refresh.lastFailure} at ${formatTime(refresh.lastFailedAt)}`,
      ],
      ['Next refresh', refresh && (refresh.running ? 'running now' : formatTime(refresh.dueAt))],
      ['Revoked', formatTime(shown.revokedAt)],
      ['Readable until', formatTime(shown.readableUntil)],
    ]).concat(eventLines(events)),
  };
};

const eventLinesMax = 20;

const eventLines = (events: readonly ConnectionEvent[]): string[] => {
  if (events.length === 0) return [];
  const told = events.slice(0, eventLinesMax);
  const rows = told.map(({ at, kind, reason, actor }) => [formatTime(at), kind, reason ?? actor]);
  return ['', ...table(['HISTORY', '', ''], rows)];
};
