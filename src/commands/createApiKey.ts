// api-keys create: the text of the key is in this answer and nowhere else.
import { createApiKey } from '../applications/apiKeys.ts';
import { addMilliseconds, days } from '../clock.ts';
import { defineCommand } from './command.ts';
import { lookupApplication } from './lookup.ts';
import { keyValueTable, formatTime } from './format.ts';
import { wholeNumber } from './wholeNumber.ts';
import { withService } from './withService.ts';

type Input = { application: string; name: string; expiresInDays?: number };

export const createKey = defineCommand({
  summary: 'make an API key; it is shown once and cannot be shown again',
  options: (command) =>
    command
      .requiredOption('--application <application>', 'for which application (app_…)')
      .option('--name <name>', 'to know it by', 'API key')
      .option('--expires-in-days <days>', 'when it ends by itself; never otherwise', wholeNumber(1, 36_500)),
  run: ({ config }, { application, name, expiresInDays }: Input) =>
    withService(config, async (service) => {
      const { db, apiKeySigner, clock } = service;
      const { id: applicationId, environment } = await lookupApplication(service, application);
      const now = clock.real();
      const expiresAt = expiresInDays === undefined ? undefined : addMilliseconds(now, days(expiresInDays));
      const made = await createApiKey(db, apiKeySigner, { applicationId, name, now, expiresAt });
      const expires = expiresAt && { expiresAt: expiresAt.toISOString() };
      return {
        json: { ...made, applicationId, environment, name, ...expires },
        text: [
          ...keyValueTable([
            ['Key', made.keyId],
            ['Application', applicationId],
            ['Environment', environment],
            ['Expires', formatTime(expires?.expiresAt) ?? 'never'],
            ['API key', made.apiKey],
          ]),
          'It is shown only now: keep it where your backend finds it and nobody else.',
        ],
      };
    }),
});
