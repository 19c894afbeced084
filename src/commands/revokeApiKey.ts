// api-keys revoke: dead at once, in every process.
import { revokeApiKey } from '../applications/apiKeys.ts';
import { NotFound, OperatorError } from '../errors.ts';
import { defineCommand } from './command.ts';
import { withService } from './withService.ts';

export const revokeKey = defineCommand({
  summary: 'revoke an API key; requests with it are refused from now on',
  options: (command) => command.argument('<key>', 'the id of the key (key_…), which "api-keys list" shows'),
  run: ({ config }, { key }: { key: string }) =>
    withService(config, async ({ db, clock }) => {
      try {
        await revokeApiKey(db, key, clock.real());
      } catch (error) {
        if (!(error instanceof NotFound)) throw error;
        throw new OperatorError(unknownKeyMessage(key));
      }
      return { json: { keyId: key }, text: [`${key} is revoked.`] };
    }),
});

// Who pastes the key itself should not see it repeated.
const unknownKeyMessage = (key: string): string =>
  key.startsWith('key_')
    ? `There is no key ${key}.`
    : 'A key is revoked by its id (key_…), which "api-keys list" shows.';
