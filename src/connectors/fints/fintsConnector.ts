// The connector of FinTS 3.0 with PIN and TAN, which nearly every German bank speaks. The dialog with the bank is in
// strings, so that each step may run in another process; lib-fints encodes and decodes segments.
import type { Connector } from '../connector.ts';
import type { ConnectorModule } from '../registry.ts';
import { throwIfAborted } from '../withTimeout.ts';
import { toBankAccount } from './accounts.ts';
import { answerChallenge, doChallengeAction } from './answer.ts';
import type { FintsBank } from './bankList.ts';
import { type FintsDeps, toLogin } from './dialog.ts';
import { startReading } from './reading.ts';
import { startSignIn } from './signIn.ts';
import { requireState } from './state.ts';

/** The connector, and the banks of the operator's list as institutions. */
export const makeFintsModule = (
  banks: readonly FintsBank[],
  deps: Omit<FintsDeps, 'banks'>,
): ConnectorModule => {
  const byId = new Map(banks.map((bank) => [bank.institution.id, bank]));
  return {
    institutions: banks.map(({ institution }) => institution),
    connector: makeConnector({ ...deps, banks: byId }),
  };
};

const makeConnector = (deps: FintsDeps): Connector => ({
  signIn: async ({ institutionId, credentials, deviceToken, attended }, context) => {
    throwIfAborted(context.signal);
    const signer = { login: toLogin(institutionId, credentials), attended };
    return startSignIn(deps, signer, deviceToken, context);
  },
  answer: async ({ challengeState, answer }, context) => {
    throwIfAborted(context.signal);
    return answerChallenge(deps, requireState('challenge', challengeState), answer, context);
  },
  challengeAction: async ({ challengeState, action }, context) => {
    throwIfAborted(context.signal);
    return doChallengeAction(requireState('challenge', challengeState), action);
  },
  accounts: async (access, context) => {
    throwIfAborted(context.signal);
    return requireState('access', access).accounts.map(toBankAccount);
  },
  read: async (access, request, context) =>
    startReading(deps, requireState('access', access), request, context),
});
