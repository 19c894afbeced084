// Changes the password of a sandbox login, so that stored credentials become wrong as they do at a real institution.
import { OperatorError } from '../../errors.ts';
import { passwordKey, type SandboxStorage } from './sandboxStorage.ts';
import { sandboxUsers } from './users.ts';

/**
 * From the next sign-in on, at every sandbox institution, only this password of the login is accepted, in the storage's
 * organization. Throws OperatorError for an empty password or an unknown login.
 */
export const setPassword = async (
  storage: SandboxStorage,
  login: string,
  password: string,
): Promise<void> => {
  if (password === '') throw new OperatorError('The new password must not be empty.');
  if (!sandboxUsers.has(login) && !(await storage.loadedAccounts(login))) {
    throw new OperatorError(
      `The sandbox has no login "${login}": it is no built-in user, and the organization has loaded no file with it.`,
    );
  }
  await storage.put(passwordKey(login), password);
};
