// The operator changes the password of a sandbox login: from then on exactly that one is accepted, so that a
// connection's stored credentials go stale as they do at any bank.
import { passwordKey, type SandboxStorage } from './sandboxStorage.ts';
import { sandboxUsers } from './users.ts';
import { OperatorError } from '../../errors.ts';

/** Takes effect at the next sign-in, at every sandbox institution. */
export const setPassword = async (memory: SandboxStorage, login: string, password: string): Promise<void> => {
  if (password === '') throw new OperatorError('The new password must not be empty.');
  if (!sandboxUsers.has(login) && !(await memory.loadedAccounts(login))) {
    throw new OperatorError(
      `The sandbox knows no login "${login}": it is none of its own, and none was loaded.`,
    );
  }
  await memory.put(passwordKey(login), password);
};
