// applications create: for one environment, for life, with the origins whose pages may open the widget.
import { type Command, Option } from 'commander';
import { createApplication as create } from '../applications/createApplication.ts';
import type { Environment } from '../clock.ts';
import { defineCommand } from './command.ts';
import { keyValueTable } from './format.ts';
import { withService } from './withService.ts';

type Input = { name: string; environment: Environment; origin: string[]; organization?: string };

const options = (command: Command): Command =>
  command
    .requiredOption('--name <name>', 'what people call it; end users see it in the widget')
    .addOption(
      new Option('--environment <environment>', 'which banks it sees, for life')
        .choices(['sandbox', 'production'])
        .makeOptionMandatory(),
    )
    .requiredOption('--origin <url...>', 'where its pages may open the widget, like https://shop.example')
    .option('--organization <organization>', 'whose it is (org_…); needed where there are several');

export const createApplication = defineCommand({
  summary: 'make an application of an organization',
  options: options,
  run: ({ config }, { name, environment, origin, organization }: Input) =>
    withService(config, async ({ db, clock }) => {
      const request = { organizationId: organization, name, environment, origins: origin, now: clock.real() };
      const { id, ...made } = await create(db, request);
      return {
        json: { applicationId: id, ...made },
        text: keyValueTable([
          ['Application', id],
          ['Name', made.name],
          ['Environment', made.environment],
          ['Origins', made.origins.join(' ')],
          ['Organization', made.organizationId],
        ]),
      };
    }),
});
