// The commands organizations, applications and api-keys. Only the result of `api-keys create` has a key itself.
import { type Command, Option } from 'commander';
import { createApiKey, revokeApiKey } from '../applications/apiKeys.ts';
import { createApplication, createOrganization } from '../applications/applications.ts';
import {
  type ApiKey,
  findApiKeysByApplication,
  findApplications,
  findOrganizations,
} from '../applications/store.ts';
import { operatorActor } from '../audit/store.ts';
import { addMilliseconds, days, type Environment } from '../clock.ts';
import { NotFound, OperatorError } from '../errors.ts';
import { defineCommand, formatTime, integerOption, keyValueTable, table } from './command.ts';
import { lookupApplication, lookupOrganization, organizationOption } from './lookup.ts';
import { withService } from './service.ts';

type ApplicationInput = { name: string; environment: Environment; origin: string[]; organization?: string };

const createApplicationCommand = defineCommand({
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
  run: ({ config }, { name, environment, origin, organization }: ApplicationInput) =>
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

const listApplications = defineCommand({
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

export const applicationCommands = { create: createApplicationCommand, list: listApplications };

const createOrganizationCommand = defineCommand({
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

const listOrganizations = defineCommand({
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

export const organizationCommands = { create: createOrganizationCommand, list: listOrganizations };

type ApiKeyInput = { application: string; name: string; expiresInDays?: number };

const createApiKeyCommand = defineCommand({
  summary: 'create an API key and show it once',
  examples: ['api-keys create --application app_… --name backend'],
  options: (command) =>
    command
      .requiredOption('--application <application>', 'its application (app_…)')
      .option('--name <name>', 'its name', 'API key')
      .option(
        '--expires-in-days <days>',
        'days until it expires; without this option, it never does',
        integerOption(1, 36_500),
      ),
  run: ({ config }, { application, name, expiresInDays }: ApiKeyInput) =>
    withService(config, async (service) => {
      const { db, apiKeySigner, clock } = service;
      const { id: applicationId, environment } = await lookupApplication(service, application);
      const now = clock.real();
      const expiresAt = expiresInDays === undefined ? undefined : addMilliseconds(now, days(expiresInDays));
      const created = await createApiKey(db, apiKeySigner, {
        ...{ applicationId, name, now, expiresAt },
        actor: operatorActor,
      });
      const expires = expiresAt && { expiresAt: expiresAt.toISOString() };
      return {
        json: { ...created, applicationId, environment, name, ...expires },
        text: [
          ...keyValueTable([
            ['Key', created.keyId],
            ['Application', applicationId],
            ['Environment', environment],
            ['Expires', formatTime(expires?.expiresAt) ?? 'never'],
            ['API key', created.apiKey],
          ]),
          'The API key is shown only now. Store it where only your backend can read it.',
        ],
      };
    }),
});

const listApiKeys = defineCommand({
  summary: 'list the API keys of an application, oldest first',
  options: (command) => command.requiredOption('--application <application>', 'the application (app_…)'),
  run: ({ config }, { application }: { application: string }) =>
    withService(config, async (service) => {
      const { db, clock } = service;
      const { id } = await lookupApplication(service, application);
      const now = clock.real().toISOString();
      const apiKeys = await findApiKeysByApplication(db.read, id);
      const keys = apiKeys.map((key) => ({ state: stateOf(key, now), ...key }));
      return {
        json: {
          keys: keys.map(({ id: keyId, state, name, createdAt, expiresAt, revokedAt }) => {
            return { keyId, name, state, createdAt, expiresAt, revokedAt };
          }),
        },
        text:
          keys.length === 0
            ? [`${id} has no API key yet: create one with "api-keys create".`]
            : table(
                ['KEY', 'STATE', 'CREATED', 'EXPIRES', 'NAME'],
                keys.map((key) => [
                  ...[key.id, key.state, formatTime(key.createdAt)],
                  ...[formatTime(key.expiresAt) ?? 'never', key.name],
                ]),
              ),
      };
    }),
});

const stateOf = ({ revokedAt, expiresAt }: ApiKey, now: string): 'active' | 'expired' | 'revoked' => {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= now ? 'expired' : 'active';
};

const revoke = defineCommand({
  summary: 'revoke an API key; it stops working within a second',
  options: (command) => command.argument('<key>', 'the id of the key (key_…), as "api-keys list" shows it'),
  run: ({ config }, { key }: { key: string }) =>
    withService(config, async ({ db, clock }) => {
      try {
        await revokeApiKey(db, { keyId: key, now: clock.real(), actor: operatorActor });
      } catch (error) {
        if (!(error instanceof NotFound)) throw error;
        throw new OperatorError(unknownKeyMessage(key));
      }
      return { json: { keyId: key }, text: [`${key} is revoked.`] };
    }),
});

// Does not repeat the argument if it may be the API key itself.
const unknownKeyMessage = (key: string): string =>
  key.startsWith('key_')
    ? `There is no key ${key}.`
    : 'The argument must be the id of a key (key_…), as "api-keys list" shows it.';

export const apiKeyCommands = { create: createApiKeyCommand, list: listApiKeys, revoke };
