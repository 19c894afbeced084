// applications list.
import { findApplications } from '../applications/store.ts';
import { defineCommand } from './command.ts';
import { table } from './format.ts';
import { withService } from './withService.ts';

export const listApplications = defineCommand({
  summary: 'list the applications, oldest first',
  run: ({ config }) =>
    withService(config, async ({ db }) => {
      const applications = await findApplications(db.read);
      return {
        json: { applications: applications.map(({ id, ...rest }) => ({ applicationId: id, ...rest })) },
        text:
          applications.length === 0
            ? ['There is no application yet: make one with "applications create".']
            : table(
                ['APPLICATION', 'ENVIRONMENT', 'ORGANIZATION', 'NAME', 'ORIGINS'],
                applications.map(({ id, environment, organizationId, name, origins }) => [
                  ...[id, environment, organizationId, name],
                  origins.join(' '),
                ]),
              ),
      };
    }),
});
