// The bank that is always open. It invents everything from the username and the date, so that it can be asked by
// any process at any time; what few things it must remember it keeps in its memory.
import type { Bank } from '../bank.ts';
import { accounts, history } from './reading.ts';
import { answer, type SandboxParts, signIn } from './signingIn.ts';

/** The sandbox bank over a memory. `slowStepMs` is how long user `slow` waits at each step. */
export const makeSandboxBank = (
  given: Pick<SandboxParts, 'memory' | 'realNow'> & Partial<SandboxParts>,
): Bank => {
  const parts: SandboxParts = { ...given, slowStepMs: given.slowStepMs ?? 5_000 };
  return {
    signIn: (request, call) => signIn(parts, request, call),
    answer: (request, call) => answer(parts, request, call),
    accounts: (access, call) => accounts(parts, access, call),
    history: (request, call) => history(parts, request, call),
  };
};
