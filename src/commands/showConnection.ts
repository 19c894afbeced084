// connections show: what an operator may know of a connection. Nothing that the bank said is in it.
import { findAccountRows } from '../accounts/store.ts';
import { addMilliseconds, days } from '../clock.ts';
import { connectionState } from '../connections/connection.ts';
import type { ConnectionEvent } from '../connections/connectionEvent.ts';
import { findConnectionEvents } from '../connections/eventStore.ts';
import { findJob } from '../refresh/jobs.ts';
import type { Service } from '../service.ts';
import { countTransactions } from '../transactions/store.ts';
import { findEndUser } from '../users/store.ts';
import { type Answer, operatorCommand } from './command.ts';
import { knownConnection } from './known.ts';
import { facts, table, time } from './lines.ts';
import { withService } from './withService.ts';

export const showConnection = operatorCommand({
  summary: 'show the state of a connection, why it is so, and what is next',
  takes: (command) => command.argument('<connection>', 'the id of the connection (con_…)'),
  run: ({ config }, { connection: id }: { connection: string }) =>
    withService(config, async (service) => answer(await describe(service, id))),
});

const describe = async (service: Service, id: string) => {
  const { db, clock, config } = service;
  const { connection, application } = await knownConnection(service, id);
  const { endUserId, revokedAt } = connection;
  const user = await findEndUser(db.read, endUserId);
  const accounts = await findAccountRows(db.read, { endUserId, connectionId: id });
  const accountIds = accounts.map((account) => account.id);
  const work = await findJob(db.read, id);
  const events = await findConnectionEvents(db.read, { endUserId, connectionId: id });
  const held = work?.leasedUntil && work.leasedUntil >= clock.real().toISOString();
  return {
    connectionId: id,
    state: connectionState(connection),
    attention: connection.reconnectReason,
    institution: { id: connection.institutionId, name: connection.institutionName },
    application: { id: application.id, name: application.name, environment: application.environment },
    user: { id: endUserId, externalUserId: user?.externalUserId ?? null },
    accounts: accounts.length,
    transactions: await countTransactions(db.read, { endUserId, accountIds }),
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

const answer = (shown: Awaited<ReturnType<typeof describe>>): Answer => {
  const { refresh, application, user, events } = shown;
  const state = shown.attention ? `${shown.state} (${shown.attention})` : shown.state;
  return {
    json: shown,
    text: facts([
      ['Connection', shown.connectionId],
      ['State', state],
      ['Institution', `${shown.institution.name} (${shown.institution.id})`],
      ['Application', `${application.name} (${application.id}, ${application.environment})`],
      ['External user', user.externalUserId ?? '(anonymous)'],
      ['Accounts', shown.accounts],
      ['Transactions', shown.transactions],
      ['Created', time(shown.createdAt)],
      ['Refreshed', time(shown.refreshedAt)],
      ['Fully refreshed', time(shown.refreshedFullyAt)],
      ['Last failure', refresh?.lastFailure && `${refresh.lastFailure} at ${time(refresh.lastFailedAt)}`],
      ['Next refresh', refresh && (refresh.running ? 'running now' : time(refresh.dueAt))],
      ['Revoked', time(shown.revokedAt)],
      ['Readable until', time(shown.readableUntil)],
    ]).concat(history(events)),
  };
};

const eventsShown = 20;

const history = (events: readonly ConnectionEvent[]): string[] => {
  if (events.length === 0) return [];
  const told = events.slice(0, eventsShown);
  const rows = told.map(({ at, kind, reason, by }) => [time(at), kind, reason ?? by]);
  return ['', ...table(['HISTORY', '', ''], rows)];
};
