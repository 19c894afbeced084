// connections revoke: what the interface does with DELETE, for the operator.
import { revokeConnection as revoke } from '../connections/revokeConnection.ts';
import { operatorCommand } from './command.ts';
import { knownConnection } from './known.ts';
import { facts, time } from './lines.ts';
import { withService } from './withService.ts';

export const revokeConnection = operatorCommand({
  summary: 'revoke a connection: no further access to the bank; its data stays for the retention time',
  takes: (command) => command.argument('<connection>', 'the id of the connection (con_…)'),
  run: ({ config }, { connection: id }: { connection: string }) =>
    withService(config, async (service) => {
      const { application, lifetime } = await knownConnection(service, id);
      const eventsMax = config.limits.connectionEventsMax;
      await revoke(service.db, application.id, id, lifetime, { actor: 'operator', eventsMax });
      const { revokedAt } = (await knownConnection(service, id)).connection;
      return {
        json: { connectionId: id, revokedAt },
        text: facts([
          ['Connection', id],
          ['Revoked', time(revokedAt)],
          ['Readable for', `${config.limits.retentionDays} days from then`],
        ]),
      };
    }),
});
