// The connector for Enable Banking, a licensed provider that gives access to some 2,700 banks in the European Economic Area under
// one contract. End users consent on their bank's page. The provider's session is kept in a string that every process can use.
import {
  BankRefused,
  type Connector,
  type ConnectorModule,
  defineConnector,
  type Host,
  isLoopbackHost,
  parseUrl,
  throwIfAborted,
} from '@bank-connection/connector-kit';
import { toBankAccount } from './accounts.ts';
import { parseKey } from './application.ts';
import { parseRef } from './bank.ts';
import { makeCheck } from './check.ts';
import { connect, type EnableBankingDeps } from './client.ts';
import { makeDirectory } from './directory.ts';
import { historyWindowSeconds, startReading } from './reading.ts';
import { answerChallenge, resumeSession, startSignIn } from './signIn.ts';
import { decodeSession } from './state.ts';

const providerUrl = 'https://api.enablebanking.com';

export default defineConnector({
  settings: {
    ENABLE_BANKING_APPLICATION: 'application id at [Enable Banking](../connectors/enable-banking/README.md)',
    ENABLE_BANKING_KEY: 'its private key (PEM)',
    ENABLE_BANKING_URL: `licensed proxy, instead of ${providerUrl}`,
  },
  make: (host: Host) => {
    const [id, pem] = ['ENABLE_BANKING_APPLICATION', 'ENABLE_BANKING_KEY'].map((name) => {
      const value = host.setting(name);
      if (value) return value;
      throw new Error(`${name} is missing: ENABLE_BANKING_APPLICATION and ENABLE_BANKING_KEY go together.`);
    }) as [string, string];
    const application = { id, key: parseKey(pem) };
    const url = parseProviderUrl(host.setting('ENABLE_BANKING_URL') || providerUrl);
    return makeEnableBankingModule({ ...host, application, url, emptyPagePauseMs: 1000 });
  },
});

const parseProviderUrl = (text: string): URL => {
  const url = parseUrl(text);
  if (url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackHost(url))) return url;
  throw new Error('ENABLE_BANKING_URL must be an https address, or http on this machine.');
};

/** The connector and the directory of its banks. */
export const makeEnableBankingModule = (deps: EnableBankingDeps): ConnectorModule => ({
  institutions: [],
  connector: makeConnector(deps),
  limits: { unattendedReadsPerDay: 4, historyWindowSeconds, requestsPerMinute: 300 },
  directory: makeDirectory(deps),
  check: makeCheck(deps),
});

const makeConnector = (deps: EnableBankingDeps): Connector => ({
  signIn: async ({ institution, deviceToken, attended }, context) => {
    throwIfAborted(context.signal);
    return attended
      ? startSignIn(deps, parseRef(institution.ref), context)
      : resumeSession(deviceToken, context);
  },
  answer: async (request, context) => {
    throwIfAborted(context.signal);
    return answerChallenge(deps, request, context);
  },
  accounts: async (access, { signal }) => {
    throwIfAborted(signal);
    return decodeSession(access).accounts.map(toBankAccount);
  },
  read: async (access, request, context) => startReading(deps, decodeSession(access), request, context),
  revoke: async ({ deviceToken, access }, context) => {
    const { id } = decodeSession(deviceToken ?? access);
    const params = { path: { session_id: id } };
    await connect(deps, context).DELETE('/sessions/{session_id}', { params }).catch(ignoreEnded);
  },
});

/** Ending a session that has already ended succeeds, for example when a revocation is retried. */
const ignoreEnded = (error: unknown): void => {
  if (!(error instanceof BankRefused && error.reason === 'consent_expired')) throw error;
};
