// The connector for FinTS 3.0 with PIN and TAN, which nearly every German bank supports. The state of the dialog is kept in
// strings, so each step can run in a different process. lib-fints encodes and decodes segments.
import {
  type Connector,
  type ConnectorModule,
  defineConnector,
  type Host,
  throwIfAborted,
} from '@bank-connection/connector-kit';
import { toBankAccount } from './accounts.ts';
import { answerChallenge, doChallengeAction } from './answer.ts';
import { startApproval } from './approval.ts';
import { type FintsBank, readBankList } from './bankList.ts';
import { type FintsDeps, toLogin } from './dialog.ts';
import { makeProbe } from './probe.ts';
import { startReading } from './reading.ts';
import { startSignIn } from './signIn.ts';
import { requireState } from './state.ts';

const productIdPattern = /^[A-Za-z0-9]{1,25}$/;

export default defineConnector({
  settings: {
    FINTS_PRODUCT_ID: '[FinTS](../connectors/fints/README.md) registration number',
    FINTS_BANKS: 'file of [FinTS banks](../connectors/fints/README.md#the-bank-list)',
  },
  make: (host: Host) => {
    const [productId, list] = ['FINTS_PRODUCT_ID', 'FINTS_BANKS'].map((name) => {
      const value = host.setting(name);
      if (value) return value;
      throw new Error(`${name} is missing: FINTS_PRODUCT_ID and FINTS_BANKS go together.`);
    }) as [string, string];
    if (productIdPattern.test(productId)) return makeFintsModule(readBankList(list), { ...host, productId });
    throw new Error('FINTS_PRODUCT_ID must be the registration number: 1 to 25 letters and digits.');
  },
});

/** Creates the connector, with the operator's banks as institutions. */
export const makeFintsModule = (
  banks: readonly FintsBank[],
  deps: Omit<FintsDeps, 'banks'>,
): ConnectorModule => {
  const byId = new Map(banks.map((bank) => [bank.institution.id, bank]));
  return {
    institutions: banks.map(({ institution }) => institution),
    connector: makeConnector({ ...deps, banks: byId }),
    probe: makeProbe({ ...deps, banks: byId }),
  };
};

const makeConnector = (deps: FintsDeps): Connector => ({
  signIn: async ({ institution, credentials, deviceToken, attended }, context) => {
    throwIfAborted(context.signal);
    const signer = { login: toLogin(institution.id, credentials), attended };
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
  approveReading: async ({ access, accountIds }, context) => {
    throwIfAborted(context.signal);
    return startApproval(deps, requireState('access', access), accountIds, context);
  },
  read: async (access, request, context) =>
    startReading(deps, requireState('access', access), request, context),
});
