// api-keys list: what is known of an application's keys. Their texts are not.
import { type ApiKey, findApiKeysByApplication } from '../applications/store.ts';
import { defineCommand } from './command.ts';
import { lookupApplication } from './lookup.ts';
import { table, formatTime } from './format.ts';
import { withService } from './withService.ts';

export const listApiKeys = defineCommand({
  summary: 'list an application’s API keys, oldest first',
  options: (command) => command.requiredOption('--application <application>', 'of which application (app_…)'),
  run: ({ config }, { application }: { application: string }) =>
    withService(config, async (service) => {
      const { db, clock } = service;
      const { id } = await lookupApplication(service, application);
      const now = clock.real().toISOString();
      const keys = (await findApiKeysByApplication(db.read, id)).map((key) => ({
        state: stateOf(key, now),
        ...key,
      }));
      return {
        json: {
          keys: keys.map(({ id: keyId, state, name, createdAt, expiresAt, revokedAt }) => {
            return { keyId, name, state, createdAt, expiresAt, revokedAt };
          }),
        },
        text:
          keys.length === 0
            ? [`${id} has no API key yet: make one with "api-keys create".`]
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
