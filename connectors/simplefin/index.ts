// The connector for SimpleFIN servers, such as SimpleFIN Bridge: the end user pastes text from the server. `access` and
// `deviceToken` are the same, so that a refresh needs one request: servers allow about 24 a day.
import {
  BankRefused,
  type CallContext,
  type Connector,
  type ConnectorModule,
  defineConnector,
  type Institution,
  isAllowedHost,
  type SignInResult,
  throwIfAborted,
} from '@bank-connection/connector-kit';
import { isUrl, type ParsedAccessUrl, parseAccessUrl, parseSetupToken } from './accessUrl.ts';
import { toBankAccount } from './account.ts';
import { decodeAnswer } from './answer.ts';
import { type Answer, throwServerError } from './answerErrors.ts';
import { startReading } from './reading.ts';
import {
  readBody,
  refuseWrongInput,
  requestAccessUrl,
  requestAccounts,
  type ServerResponse,
  type SimplefinDeps,
} from './server.ts';
import { parseStoredAccess } from './storedAccess.ts';

const simplefin: Institution = {
  id: 'simplefin',
  name: 'SimpleFIN',
  fields: [{ name: 'token', label: 'Setup token or access URL', secret: true }],
  aliases: ['SimpleFIN Bridge'],
  helpUrl: 'https://beta-bridge.simplefin.org/',
};

/** Creates the connector with its only institution. */
export const makeSimplefinModule = (deps: SimplefinDeps): ConnectorModule => {
  const connector: Connector = {
    signIn: async ({ credentials, deviceToken }, context) => {
      throwIfAborted(context.signal);
      if (deviceToken !== undefined) return toSignedIn(deviceToken);
      const text = credentials.token?.replace(/\s+/g, '') ?? '';
      return toSignedIn(
        isUrl(text) ? await checkAccessUrl(deps, text, context) : await claim(deps, text, context),
      );
    },
    answer: async () => {
      throw new BankRefused('user_action_required');
    },
    accounts: async (access, context) => {
      const { accounts } = readAnswer(await requestBalances(deps, parseStoredAccess(access).server, context));
      return accounts.flatMap((account) => toBankAccount(account, context.now) ?? []);
    },
    read: async (access, request, context) => startReading(deps, parseStoredAccess(access), request, context),
  };
  return { institutions: [simplefin], connector };
};

export default defineConnector({ make: makeSimplefinModule });

const toSignedIn = (accessUrl: string): SignInResult => ({
  kind: 'signedIn',
  access: accessUrl,
  deviceToken: accessUrl,
});

/** Checks that the server accepts an access URL, and returns it. */
const checkAccessUrl = async (deps: SimplefinDeps, text: string, context: CallContext): Promise<string> => {
  const response = await requestBalances(deps, parseTypedUrl(deps, text), context);
  refuseWrongInput(response);
  readAnswer(response);
  return text;
};

const parseTypedUrl = ({ isAllowed }: SimplefinDeps, text: string): ParsedAccessUrl => {
  const parsed = parseAccessUrl(text);
  if (!parsed || !isAllowedHost(parsed.accountsUrl, isAllowed)) throw new BankRefused('wrong_credentials');
  return parsed;
};

/** Exchanges a setup token, which is valid once, for the access URL. */
const claim = async (deps: SimplefinDeps, setupToken: string, context: CallContext): Promise<string> => {
  const url = parseSetupToken(setupToken);
  if (!url) throw new BankRefused('wrong_credentials');
  const response = await requestAccessUrl(deps, url, context);
  refuseWrongInput(response);
  const accessUrl = readBody(response).toString().replace(/\s+/g, '');
  parseTypedUrl(deps, accessUrl);
  return accessUrl;
};

const requestBalances = (
  deps: SimplefinDeps,
  server: ParsedAccessUrl,
  context: CallContext,
): Promise<ServerResponse> => requestAccounts(deps, server, { 'balances-only': '1' }, context);

const readAnswer = (response: ServerResponse): Answer => {
  const answer = decodeAnswer(readBody(response));
  throwServerError(answer);
  return answer;
};
