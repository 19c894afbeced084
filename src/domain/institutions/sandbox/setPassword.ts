// Changes the password of a sandbox login, so that stored credentials become invalid, as at a real institution.
import { passwordKey, type SandboxStorage } from '../../../../connectors/sandbox/storage.ts';
import { builtInUsers, sandboxUsers } from '../../../../connectors/sandbox/users.ts';
import { OperatorError, UsageError } from '../../../platform/values/errors.ts';

/**
 * From the next sign-in on, all sandbox institutions of the storage's organization accept only this password for the login.
 * Throws OperatorError for an empty password and UsageError for an unknown login.
 */
export const setPassword = async (
  storage: SandboxStorage,
  login: string,
  password: string,
): Promise<void> => {
  if (password === '') throw new OperatorError('The new password must not be empty.');
  if (!sandboxUsers.has(login) && !(await storage.loadedAccounts(login))) {
    throw new UsageError(
      `The sandbox has no login "${login}": no file with this login was loaded. ${builtInUsers}`,
    );
  }
  await storage.put(passwordKey(login), password);
};
