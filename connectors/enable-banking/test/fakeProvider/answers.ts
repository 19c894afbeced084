// Responds to a request to the fake provider: checks the token and the parameters, then runs the operation.
import type { operations } from '../../../../generated/enableBanking.ts';
import { toAspsp } from './bank.ts';
import { type Endpoint, type OperationId, Refusal, refusal } from './contract.ts';
import { getBalances, getDetails, getTransactions } from './reads.ts';
import { authorizeSession, deleteSession, getSession, startAuthorization } from './sessions.ts';
import type { FakeRequest, State } from './state.ts';
import { isValidToken } from './token.ts';

type Body<Id extends OperationId> = operations[Id]['responses'][200]['content']['application/json'];

const handlers: { [Id in OperationId]: (state: State, request: FakeRequest) => Body<Id> } = {
  getApplication: ({ application }) => application,
  getAspsps: ({ banks }, { parameters: { country, psu_type } }) => ({
    aspsps: banks
      .flatMap((bank) => (bank.isListedTwice ? [bank, bank] : [bank]))
      .map(toAspsp)
      .filter((bank) => country === undefined || bank.country === country)
      .filter(({ psu_types }) => psu_type === undefined || psu_types.some((type) => type === psu_type)),
  }),
  ...{ startAuthorization, authorizeSession, getSession, deleteSession },
  ...{ getDetails, getBalances, getTransactions },
};

/** Throws if the response would violate the contract. */
export const answer = async (
  state: State,
  { checks, operationId }: Endpoint,
  request: FakeRequest,
  authorization: string | undefined,
): Promise<{ status: number; body: unknown }> => {
  try {
    const isValid = await isValidToken(authorization, { kid: state.application.kid, now: request.at });
    if (!isValid) throw refusal(401, 'UNAUTHORIZED_ACCESS');
    const parameters = Object.entries(request.parameters);
    const fits = parameters.every(([name, value]) => checks.parameters.get(name)?.(value));
    if (!fits || !checks.request(request.body)) throw refusal(422, 'WRONG_REQUEST_PARAMETERS');
    const body = handlers[operationId](state, request);
    if (!checks.response(body)) throw new Error(`Response violates the contract: ${operationId}.`);
    return { status: 200, body };
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
};
