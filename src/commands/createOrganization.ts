// organizations create: whoever's applications these will be.
import { createOrganization as create } from '../applications/createApplication.ts';
import { defineCommand } from './command.ts';
import { keyValueTable } from './format.ts';
import { withService } from './withService.ts';

export const createOrganization = defineCommand({
  summary: 'make an organization, to which applications belong',
  options: (command) => command.requiredOption('--name <name>', 'what people call it'),
  run: ({ config }, { name }: { name: string }) =>
    withService(config, async ({ db, clock }) => {
      const organization = await create(db, { name, now: clock.real() });
      return {
        json: { organizationId: organization.id, name: organization.name, createdAt: organization.createdAt },
        text: keyValueTable([
          ['Organization', organization.id],
          ['Name', organization.name],
        ]),
      };
    }),
});
