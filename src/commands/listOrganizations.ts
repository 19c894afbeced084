// organizations list.
import { findOrganizations } from '../applications/store.ts';
import { defineCommand } from './command.ts';
import { table, formatTime } from './format.ts';
import { withService } from './withService.ts';

export const listOrganizations = defineCommand({
  summary: 'list the organizations, oldest first',
  run: ({ config }) =>
    withService(config, async ({ db }) => {
      const organizations = await findOrganizations(db.read);
      return {
        json: { organizations: organizations.map(({ id, ...rest }) => ({ organizationId: id, ...rest })) },
        text:
          organizations.length === 0
            ? ['There is no organization yet: make one with "organizations create --name".']
            : table(
                ['ORGANIZATION', 'CREATED', 'NAME'],
                organizations.map(({ id, name, createdAt }) => [id, formatTime(createdAt), name]),
              ),
      };
    }),
});
