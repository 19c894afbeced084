// connections list: of an application, or of a user by the id that the application gave. A page at a time.
import type { Command } from 'commander';
import { connectionState, isExpired } from '../connections/connection.ts';
import { findConnectionsPage, type ConnectionWithUser } from '../connections/store.ts';
import type { Service } from '../service.ts';
import { defineCommand, UsageError } from './command.ts';
import { lookupApplication, lookupConnection } from './lookup.ts';
import { table, formatTime } from './format.ts';
import { wholeNumber } from './wholeNumber.ts';
import { withService } from './withService.ts';

type Input = { application?: string; externalUser?: string; limit: number; after?: string };

const options = (command: Command): Command =>
  command
    .option('--external-user <id>', 'of this user, by the id that the application gave')
    .option('--application <application>', 'of this application (app_…)')
    .option('--limit <count>', 'how many at most', wholeNumber(1, 1000), 50)
    .option('--after <connection>', 'go on after this one (con_…)');

export const listConnections = defineCommand({
  summary: 'list the connections of an application or of a user, oldest first',
  options: options,
  run: ({ config }, input: Input) => withService(config, (service) => list(service, input)),
});

const list = async (service: Service, { application, externalUser, limit, after }: Input) => {
  if (!application && !externalUser) {
    throw new UsageError('Say whose connections: --external-user, --application, or both.');
  }
  const found = await findConnectionsPage(service.db.read, {
    applicationId: application && (await lookupApplication(service, application)).id,
    externalUserId: externalUser,
    after: after ? (await lookupConnection(service, after)).connection : undefined,
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  const connections = page.filter((connection) => !isOver(service, connection)).map(toJson);
  const next = found.length > limit ? page.at(-1)!.id : undefined;
  const rows = connections.map((one) => [
    ...[one.connectionId, one.attention ? `${one.state} (${one.attention})` : one.state],
    ...[formatTime(one.createdAt), formatTime(one.refreshedAt), one.institution.name, one.externalUserId],
  ]);
  const headings = ['CONNECTION', 'STATE', 'CREATED', 'REFRESHED', 'INSTITUTION', 'EXTERNAL USER'];
  return {
    json: { connections, ...(next && { next }) },
    text: [
      ...(rows.length === 0 ? ['There is no such connection.'] : table(headings, rows)),
      ...(next ? [`There are more: add --after ${next}.`] : []),
    ],
  };
};

// Time may be over for some that no sweep has deleted yet.
const isOver = ({ clock, config }: Service, connection: ConnectionWithUser): boolean =>
  isExpired(connection, {
    now: clock.now(connection.environment),
    real: clock.real(),
    retentionDays: config.limits.retentionDays,
  });

const toJson = (connection: ConnectionWithUser) => ({
  connectionId: connection.id,
  applicationId: connection.applicationId,
  externalUserId: connection.externalUserId,
  institution: { id: connection.institutionId, name: connection.institutionName },
  state: connectionState(connection),
  attention: connection.reconnectReason,
  createdAt: connection.createdAt,
  refreshedAt: connection.refreshedAt,
  revokedAt: connection.revokedAt,
});
