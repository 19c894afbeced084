// The connector of the Sandbox. Accounts and transactions follow from the username and the date, so any process can
// answer any call; the little state that there is goes through SandboxStorage.
import type { Connector } from '../connector.ts';
import { accounts, history } from './accountsAndHistory.ts';
import { answer, type SandboxDeps, signIn } from './authentication.ts';

/** The sandbox connector. `slowStepMs` is how long each step of user `slow` takes (default 5 s). */
export const makeSandboxConnector = (
  options: Pick<SandboxDeps, 'storage' | 'realNow'> & Partial<SandboxDeps>,
): Connector => {
  const deps: SandboxDeps = { ...options, slowStepMs: options.slowStepMs ?? 5_000 };
  return {
    signIn: (request, context) => signIn(deps, request, context),
    answer: (request, context) => answer(deps, request, context),
    accounts: (access, context) => accounts(deps, access, context),
    history: (request, context) => history(deps, request, context),
  };
};
