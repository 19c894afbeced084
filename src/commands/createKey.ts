// keys create: the text of the key is in this answer and nowhere else.
import { createApiKey } from '../applications/apiKeys.ts';
import { addMilliseconds, days } from '../clock.ts';
import { operatorCommand } from './command.ts';
import { knownApplication } from './known.ts';
import { facts, time } from './lines.ts';
import { wholeNumber } from './wholeNumber.ts';
import { withService } from './withService.ts';

type Input = { application: string; name: string; expiresInDays?: number };

export const createKey = operatorCommand({
  summary: 'make an API key; it is shown once and cannot be shown again',
  takes: (command) =>
    command
      .requiredOption('--application <application>', 'for which application (app_…)')
      .option('--name <name>', 'to know it by', 'API key')
      .option('--expires-in-days <days>', 'when it ends by itself; never otherwise', wholeNumber(1, 36_500)),
  run: ({ config }, { application, name, expiresInDays }: Input) =>
    withService(config, async (service) => {
      const { db, apiKeySigner, clock } = service;
      const { id: applicationId, environment } = await knownApplication(service, application);
      const now = clock.real();
      const expiresAt = expiresInDays === undefined ? undefined : addMilliseconds(now, days(expiresInDays));
      const made = await createApiKey(db, apiKeySigner, { applicationId, name, now, expiresAt });
      const expires = expiresAt && { expiresAt: expiresAt.toISOString() };
      return {
        json: { ...made, applicationId, environment, name, ...expires },
        text: [
          ...facts([
            ['Key', made.keyId],
            ['Application', applicationId],
            ['Environment', environment],
            ['Expires', time(expires?.expiresAt) ?? 'never'],
            ['API key', made.apiKey],
          ]),
          'It is shown only now: keep it where your backend finds it and nobody else.',
        ],
      };
    }),
});
