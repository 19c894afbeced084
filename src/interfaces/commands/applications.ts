// The commands organizations, applications and api-keys. Only `api-keys create` prints a key.
import { Option } from 'commander';
import { createApiKey, revokeApiKey } from '../../domain/applications/apiKeys.ts';
import { createApplication, createOrganization } from '../../domain/applications/applications.ts';
import {
  type ApiKey,
  findApiKeysByApplication,
  findApplications,
  findOrganizations,
} from '../../domain/applications/store.ts';
import { byOperator, operatorActor } from '../../domain/audit/by.ts';
import { addMilliseconds, days, type Environment } from '../../platform/values/clock.ts';
import { NotFound, OperatorError } from '../../platform/values/errors.ts';
import { formatTime, integerOption, keyValueTable, table, textOption } from './command.ts';
import { lookupApplication, lookupOrganization, noOrganization, organizationOption } from './lookup.ts';
import { defineServiceCommand } from './service.ts';

type ApplicationInput = { name: string; environment: Environment; origin: string[]; organization?: string };

const createApplicationCommand = defineServiceCommand({
  summary: 'create an application',
  examples: ['applications create --name Shop --environment sandbox --origin https://shop.example'],
  options: (command) =>
    command
      .requiredOption('--name <name>', 'its name, which end users see in the widget', textOption(100))
      .addOption(
        new Option('--environment <environment>', 'its environment, which cannot be changed later')
          .choices(['sandbox', 'production'])
          .makeOptionMandatory(),
      )
      .requiredOption('--origin <url...>', 'an origin that may open the widget, like https://shop.example')
      .option(...organizationOption),
  run: async (service, { name, environment, origin: origins, organization }: ApplicationInput) => {
    const { id: organizationId } = await lookupOrganization(service, organization);
    const by = byOperator(organizationId, service.clock.real());
    const { id, ...application } = await createApplication(service.db, { name, environment, origins }, by);
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
  },
});

const listApplications = defineServiceCommand({
  summary: 'list the applications, oldest first',
  run: async ({ db }) => {
    const applications = await findApplications(db.read);
    return {
      json: { applications: applications.map(({ id, ...rest }) => ({ applicationId: id, ...rest })) },
      text: table(
        ['APPLICATION', 'ENVIRONMENT', 'ORGANIZATION', 'NAME', 'ORIGINS'],
        applications.map(({ id, environment, organizationId, name, origins }) => {
          return [id, environment, organizationId, name, origins.join(' ')];
        }),
        'There are no applications yet: create one with "applications create".',
      ),
    };
  },
});

export const applicationCommands = { create: createApplicationCommand, list: listApplications };

const createOrganizationCommand = defineServiceCommand({
  summary: 'create an organization',
  examples: ["organizations create --name 'Shop Ltd'"],
  options: (command) => command.requiredOption('--name <name>', 'its name', textOption(100)),
  run: async (service, input: { name: string }) => {
    const by = { actor: operatorActor, now: service.clock.real() };
    const { id, name, createdAt } = await createOrganization(service.db, input.name, by);
    return {
      json: { organizationId: id, name, createdAt },
      text: keyValueTable([
        ['Organization', id],
        ['Name', name],
      ]),
    };
  },
});

const listOrganizations = defineServiceCommand({
  summary: 'list the organizations, oldest first',
  run: async ({ db }) => {
    const organizations = await findOrganizations(db.read);
    return {
      json: { organizations: organizations.map(({ id, ...rest }) => ({ organizationId: id, ...rest })) },
      text: table(
        ['ORGANIZATION', 'CREATED', 'NAME'],
        organizations.map(({ id, name, createdAt }) => [id, formatTime(createdAt), name]),
        noOrganization,
      ),
    };
  },
});

export const organizationCommands = { create: createOrganizationCommand, list: listOrganizations };

type ApiKeyInput = { application: string; name: string; expiresInDays?: number };

const createApiKeyCommand = defineServiceCommand({
  summary: 'create an API key and show it once',
  examples: ['api-keys create --application app_… --name backend'],
  options: (command) =>
    command
      .requiredOption('--application <application>', 'the application (app_…)')
      .option('--name <name>', 'its name', textOption(100), 'API key')
      .option('--expires-in-days <days>', 'days until it expires (default: never)', integerOption(1, 36_500)),
  run: async (service, { application, name, expiresInDays }: ApiKeyInput) => {
    const { id: applicationId, environment } = await lookupApplication(service, application);
    const now = service.clock.real();
    const expiresAt = expiresInDays === undefined ? undefined : addMilliseconds(now, days(expiresInDays));
    const by = { actor: operatorActor, now };
    const request = { applicationId, name, expiresAt };
    const created = await createApiKey(service.db, service.apiKeySigner, request, by);
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
        'The API key is shown only once. Store it where only your backend can read it.',
      ],
    };
  },
});

const listApiKeys = defineServiceCommand({
  summary: 'list the API keys of an application, oldest first',
  options: (command) => command.requiredOption('--application <application>', 'the application (app_…)'),
  run: async (service, { application }: { application: string }) => {
    const { id: applicationId } = await lookupApplication(service, application);
    const now = service.clock.real().toISOString();
    const apiKeys = await findApiKeysByApplication(service.db.read, applicationId);
    const keys = apiKeys.map((key) => {
      const { id: keyId, name, createdAt, expiresAt, revokedAt } = key;
      return { keyId, name, state: stateOf(key, now), createdAt, expiresAt, revokedAt };
    });
    return {
      json: { keys },
      text: table(
        ['KEY', 'STATE', 'CREATED', 'EXPIRES', 'NAME'],
        keys.map(({ keyId, name, state, createdAt, expiresAt }) => {
          return [keyId, state, formatTime(createdAt), formatTime(expiresAt) ?? 'never', name];
        }),
        `${applicationId} has no API keys yet: create one with "api-keys create".`,
      ),
    };
  },
});

const stateOf = ({ revokedAt, expiresAt }: ApiKey, now: string): 'active' | 'expired' | 'revoked' => {
  if (revokedAt) return 'revoked';
  return expiresAt && expiresAt <= now ? 'expired' : 'active';
};

const revoke = defineServiceCommand({
  summary: 'revoke an API key; it stops working within a second',
  options: (command) => command.argument('<key>', 'the id of the key (key_…), as shown by "api-keys list"'),
  run: async (service, { key: keyId }: { key: string }) => {
    try {
      await revokeApiKey(service.db, keyId, { actor: operatorActor, now: service.clock.real() });
    } catch (error) {
      if (!(error instanceof NotFound)) throw error;
      throw new OperatorError(unknownKeyMessage(keyId));
    }
    return { json: { keyId }, text: [`${keyId} is revoked.`] };
  },
});

// Repeats the argument only if it cannot be the API key itself.
const unknownKeyMessage = (key: string): string =>
  key.startsWith('key_')
    ? `There is no key ${key}.`
    : 'The argument must be the id of a key (key_…), as shown by "api-keys list".';

export const apiKeyCommands = { create: createApiKeyCommand, list: listApiKeys, revoke };
