// The commands api-keys create, api-keys list and api-keys revoke. Only the result of create has the key itself.
import { createApiKey, revokeApiKey } from '../applications/apiKeys.ts';
import { type ApiKey, findApiKeysByApplication } from '../applications/store.ts';
import { operatorActor } from '../audit/store.ts';
import { addMilliseconds, days } from '../clock.ts';
import { NotFound, OperatorError } from '../errors.ts';
import { defineCommand, integerOption } from './command.ts';
import { formatTime, keyValueTable, table } from './format.ts';
import { lookupApplication } from './lookup.ts';
import { withService } from './withService.ts';

type CreateInput = { application: string; name: string; expiresInDays?: number };

const create = defineCommand({
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
  run: ({ config }, { application, name, expiresInDays }: CreateInput) =>
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

const list = defineCommand({
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

export const apiKeyCommands = { create, list, revoke };
