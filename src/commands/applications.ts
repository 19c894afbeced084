// The commands applications create and applications list.
import { type Command, Option } from 'commander';
import { createApplication } from '../applications/createApplication.ts';
import { findApplications } from '../applications/store.ts';
import { operatorActor } from '../audit/store.ts';
import type { Environment } from '../clock.ts';
import { defineCommand } from './command.ts';
import { keyValueTable, table } from './format.ts';
import { lookupOrganization, organizationOption } from './lookup.ts';
import { withService } from './withService.ts';

type CreateInput = { name: string; environment: Environment; origin: string[]; organization?: string };

const create = defineCommand({
  summary: 'create an application',
  examples: ['applications create --name Shop --environment sandbox --origin https://shop.example'],
  options: (command: Command) =>
    command
      .requiredOption('--name <name>', 'its name, which end users see in the widget')
      .addOption(
        new Option('--environment <environment>', 'its environment, which cannot be changed later')
          .choices(['sandbox', 'production'])
          .makeOptionMandatory(),
      )
      .requiredOption('--origin <url...>', 'an origin that may open the widget, like https://shop.example')
      .option(...organizationOption),
  run: ({ config }, { name, environment, origin, organization }: CreateInput) =>
    withService(config, async (service) => {
      const { db, clock } = service;
      const { id: organizationId } = await lookupOrganization(service, organization);
      const request = {
        ...{ organizationId, name, environment, origins: origin },
        ...{ now: clock.real(), actor: operatorActor },
      };
      const { id, ...application } = await createApplication(db, request);
      return {
        json: { applicationId: id, ...application },
        text: keyValueTable([
          ['Application', id],
          ['Name', application.name],
          ['Environment', application.environment],
          ['Origins', application.origins.join(' ')],
          ['Organization', application.organizationId],
        ]),
      };
    }),
});

const list = defineCommand({
  summary: 'list the applications, oldest first',
  run: ({ config }) =>
    withService(config, async ({ db }) => {
      const applications = await findApplications(db.read);
      return {
        json: { applications: applications.map(({ id, ...rest }) => ({ applicationId: id, ...rest })) },
        text:
          applications.length === 0
            ? ['There is no application yet: create one with "applications create".']
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

export const applicationCommands = { create, list };
