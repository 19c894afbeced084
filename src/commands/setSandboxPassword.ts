// sandbox set-password: stored credentials go stale, as they do at any bank.
import { makeDatabaseStorage } from '../connectors/sandbox/storage/databaseStorage.ts';
import { setPassword } from '../connectors/sandbox/setPassword.ts';
import { defineCommand } from './command.ts';
import { withService } from './withService.ts';

export const setSandboxPassword = defineCommand({
  summary: 'change the password of a sandbox login: exactly that one is accepted from now on',
  options: (command) =>
    command
      .argument('<login>', 'a user of the sandbox, or a login that was loaded')
      .argument('<password>', 'the new password'),
  run: ({ config }, { login, password }: { login: string; password: string }) =>
    withService(config, async ({ db, secrets }) => {
      await setPassword(makeDatabaseStorage(db, secrets.sandbox), login, password);
      return { json: { login }, text: [`The password of ${login} is changed.`] };
    }),
});
