// The bank that is always open. It invents everything from the username and the date, so that it can be asked by
// any process at any time; what few things it must remember it keeps in its memory.
import type { Connector } from '../connector.ts';
import { accounts, history } from './accountsAndHistory.ts';
import { answer, type SandboxDeps, signIn } from './authentication.ts';

/** The sandbox bank over a memory. `slowStepMs` is how long user `slow` waits at each step. */
export const makeSandboxConnector = (
  given: Pick<SandboxDeps, 'storage' | 'realNow'> & Partial<SandboxDeps>,
): Connector => {
  const parts: SandboxDeps = { ...given, slowStepMs: given.slowStepMs ?? 5_000 };
  return {
    signIn: (request, call) => signIn(parts, request, call),
    answer: (request, call) => answer(parts, request, call),
    accounts: (access, call) => accounts(parts, access, call),
    history: (request, call) => history(parts, request, call),
  };
};
