// connections revoke: what the interface does with DELETE, for the operator.
import { revokeConnection as revoke } from '../connections/revokeConnection.ts';
import { defineCommand } from './command.ts';
import { lookupConnection } from './lookup.ts';
import { keyValueTable, formatTime } from './format.ts';
import { withService } from './withService.ts';

export const revokeConnection = defineCommand({
  summary: 'revoke a connection: no further access to the bank; its data stays for the retention time',
  options: (command) => command.argument('<connection>', 'the id of the connection (con_…)'),
  run: ({ config }, { connection: id }: { connection: string }) =>
    withService(config, async (service) => {
      const { application, retention } = await lookupConnection(service, id);
      const eventsMax = config.limits.connectionEventsMax;
      await revoke(service.db, application.id, id, retention, { actor: 'operator', eventsMax });
      const { revokedAt } = (await lookupConnection(service, id)).connection;
      return {
        json: { connectionId: id, revokedAt },
        text: keyValueTable([
          ['Connection', id],
          ['Revoked', formatTime(revokedAt)],
          ['Readable for', `${config.limits.retentionDays} days from then`],
        ]),
      };
    }),
});
