// The commands organizations create and organizations list.
import { createOrganization } from '../applications/createApplication.ts';
import { findOrganizations } from '../applications/store.ts';
import { operatorActor } from '../audit/store.ts';
import { defineCommand } from './command.ts';
import { formatTime, keyValueTable, table } from './format.ts';
import { withService } from './withService.ts';

const create = defineCommand({
  summary: 'create an organization',
  options: (command) => command.requiredOption('--name <name>', 'its name'),
  run: ({ config }, { name }: { name: string }) =>
    withService(config, async ({ db, clock }) => {
      const request = { name, now: clock.real(), actor: operatorActor };
      const { id, createdAt, ...organization } = await createOrganization(db, request);
      return {
        json: { organizationId: id, name: organization.name, createdAt },
        text: keyValueTable([
          ['Organization', id],
          ['Name', organization.name],
        ]),
      };
    }),
});

const list = defineCommand({
  summary: 'list the organizations, oldest first',
  run: ({ config }) =>
    withService(config, async ({ db }) => {
      const organizations = await findOrganizations(db.read);
      return {
        json: { organizations: organizations.map(({ id, ...rest }) => ({ organizationId: id, ...rest })) },
        text:
          organizations.length === 0
            ? ['There is no organization yet: create one with "organizations create --name".']
            : table(
                ['ORGANIZATION', 'CREATED', 'NAME'],
                organizations.map(({ id, name, createdAt }) => [id, formatTime(createdAt), name]),
              ),
      };
    }),
});

export const organizationCommands = { create, list };
