// Interprets the codes in a response (FinTS 3.0, Rückmeldungscodes). The accompanying texts are ignored, because each bank has its
// own.
import { BankRefused, BankUnreachable } from '@bank-connection/connector-kit';
import { firstOrderNumber } from './envelope.ts';
import { type BankResponse, hasCode } from './message.ts';

const loggedCodesMax = 8;

/** An unsuccessful response. `code` contains its codes for the log, such as `9050_9210`; the log shows at most 40 characters. */
class ResponseFailed extends BankUnreachable {
  readonly code: string;

  constructor(reason: BankUnreachable['reason'], { codes }: BankResponse) {
    super(reason);
    const known = codes.flatMap(({ code }) => (/^\d{4}$/.test(code) ? code : []));
    this.code = known.slice(0, loggedCodesMax).join('_');
  }
}

/** The bank ended the dialog or does not know it. */
export class DialogEnded extends ResponseFailed {
  constructor(response: BankResponse) {
    super('down', response);
  }
}

/** The bank did not execute an order; the dialog continues. */
export class OrderFailed extends ResponseFailed {
  constructor(response: BankResponse) {
    super('incomplete', response);
  }
}

const lockedCodes = ['3931', '3938', '9930'];
const wrongCredentialsCodes = ['9340', '9910', '9931', '9942'];
/** Strong customer authentication is required. */
const userRequiredCodes = ['9075'];
/** The bank refuses the operator's registration. It also sends 9010 and 9800, which mean something else on their own. */
export const productRefusedCodes = ['9078', '9952'];

/** True if the order needs a TAN or an approval on another device. */
export const wantsTan = (response: BankResponse): boolean =>
  hasCode(response, '0030') || wantsApproval(response);

/** Independent of the bank's name for the TAN method. */
export const wantsApproval = (response: BankResponse): boolean => hasCode(response, '3955');

/** True if the bank returned only part of the data. */
export const isPartial = (response: BankResponse): boolean => hasCode(response, '3997');

/**
 * True if the bank reports no data for the order itself, not for the TAN request after it. With 3905, the order was not executed,
 * and 3010 can mean anything, such as an unknown account number.
 */
export const isEmpty = (response: BankResponse): boolean =>
  response.codes.some(({ code, segment }) => code === '3010' && segment === firstOrderNumber) &&
  !hasCode(response, '3905');

/** True if the bank ended the dialog because of an error. 9050 only means that an order failed. */
export const isBroken = ({ codes }: BankResponse): boolean =>
  codes.some(
    ({ code, isOfMessage }) => code === '9800' || (isOfMessage && code.startsWith('9') && code !== '9050'),
  );

/** True if the bank accepts no more messages in this dialog. */
export const isEnded = (response: BankResponse): boolean => isBroken(response) || hasCode(response, '0100');

/** Throws BankRefused if the bank refuses the end user, and BankUnreachable if it refuses the operator's registration. */
export const throwRefusal = (response: BankResponse): void => {
  if (hasCode(response, ...productRefusedCodes))
    throw new ResponseFailed('operator_action_required', response);
  if (hasCode(response, ...lockedCodes)) throw new BankRefused('locked');
  if (hasCode(response, ...wrongCredentialsCodes)) throw new BankRefused('wrong_credentials');
  if (hasCode(response, ...userRequiredCodes)) throw new BankRefused('user_action_required');
};

/** Throws BankRefused if the bank rejects the first message of a user because it does not know them. */
export const throwUnknownUser = (response: BankResponse): void => {
  if (hasCode(response, '9010', '9210') && hasCode(response, '9800'))
    throw new BankRefused('wrong_credentials');
};

/** Throws BankRefused, BankUnreachable, DialogEnded or OrderFailed if the response is unsuccessful. */
export const checkResponse = (response: BankResponse): BankResponse => {
  throwRefusal(response);
  if (isBroken(response)) throw new DialogEnded(response);
  if (response.codes.some(({ code }) => code.startsWith('9'))) throw new OrderFailed(response);
  return response;
};
