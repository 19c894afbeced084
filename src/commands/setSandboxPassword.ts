// sandbox set-password: stored credentials go stale, as they do at any bank.
import { makeSandboxMemory } from '../sandbox/memory.ts';
import { setPassword } from '../sandbox/setPassword.ts';
import { operatorCommand } from './command.ts';
import { withService } from './withService.ts';

export const setSandboxPassword = operatorCommand({
  summary: 'change the password of a sandbox login: exactly that one is accepted from now on',
  takes: (command) =>
    command
      .argument('<login>', 'a user of the sandbox, or a login that was loaded')
      .argument('<password>', 'the new password'),
  run: ({ config }, { login, password }: { login: string; password: string }) =>
    withService(config, async ({ db, secrets }) => {
      await setPassword(makeSandboxMemory(db, secrets.sandbox), login, password);
      return { json: { login }, text: [`The password of ${login} is changed.`] };
    }),
});
