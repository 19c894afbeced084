// The meaning of the codes in a response (FinTS 3.0, Rückmeldungscodes). The bank's sentences are never read, because each bank has
// its own.
import { BankRefused, BankUnreachable } from '@bank-connection/connector-kit';
import { firstOrderNumber } from './envelope.ts';
import { type BankResponse, hasCode } from './message.ts';

const loggedCodesMax = 8;

/** An unsuccessful response. `code` has its codes, `9050_9210`, for the log, which shows at most 40 characters. */
class ResponseFailed extends BankUnreachable {
  readonly code: string;

  constructor(reason: BankUnreachable['reason'], { codes }: BankResponse) {
    super(reason);
    const known = codes.flatMap(({ code }) => (/^\d{4}$/.test(code) ? code : []));
    this.code = known.slice(0, loggedCodesMax).join('_');
  }
}

/** The bank has ended the dialog, or does not know it. */
export class DialogEnded extends ResponseFailed {
  constructor(response: BankResponse) {
    super('down', response);
  }
}

/** The bank has not carried out an order; the dialog continues. */
export class OrderFailed extends ResponseFailed {
  constructor(response: BankResponse) {
    super('incomplete', response);
  }
}

const lockedCodes = ['3931', '3938', '9930'];
const wrongCredentialsCodes = ['9340', '9910', '9931', '9942'];
/** Strong customer authentication is required. */
const userRequiredCodes = ['9075'];
/** The bank refuses the registration of the operator. It also sends 9010 and 9800, which have another meaning on their own. */
export const productRefusedCodes = ['9078', '9952'];

/** The order waits for a TAN, or for an approval on another device. */
export const wantsTan = (response: BankResponse): boolean =>
  hasCode(response, '0030') || wantsApproval(response);

/** Independent of the bank's name for the TAN method. */
export const wantsApproval = (response: BankResponse): boolean => hasCode(response, '3955');

/** The response is only a part. */
export const isPartial = (response: BankResponse): boolean => hasCode(response, '3997');

/**
 * True if the bank reports about the order, and not about the question for a TAN after it, that there is no data. With 3905 it has
 * not carried out the order, and 3010 may then have any reason, such as an unknown account number.
 */
export const isEmpty = (response: BankResponse): boolean =>
  response.codes.some(({ code, segment }) => code === '3010' && segment === firstOrderNumber) &&
  !hasCode(response, '3905');

/** True if the bank has ended the dialog because of an error. 9050 means that an order has one. */
export const isBroken = ({ codes }: BankResponse): boolean =>
  codes.some(
    ({ code, isOfMessage }) => code === '9800' || (isOfMessage && code.startsWith('9') && code !== '9050'),
  );

/** True if the bank accepts no further message in this dialog. */
export const isEnded = (response: BankResponse): boolean => isBroken(response) || hasCode(response, '0100');

/** Throws BankRefused if the bank refuses the end user, and BankUnreachable if it refuses this service. */
export const throwRefusal = (response: BankResponse): void => {
  if (hasCode(response, ...productRefusedCodes))
    throw new ResponseFailed('operator_action_required', response);
  if (hasCode(response, ...lockedCodes)) throw new BankRefused('locked');
  if (hasCode(response, ...wrongCredentialsCodes)) throw new BankRefused('wrong_credentials');
  if (hasCode(response, ...userRequiredCodes)) throw new BankRefused('user_action_required');
};

/** Throws BankRefused if the bank ends the first dialog of an end user, because it does not know them. */
export const throwUnknownUser = (response: BankResponse): void => {
  if (hasCode(response, '9010', '9210') && hasCode(response, '9800'))
    throw new BankRefused('wrong_credentials');
};

/** Throws for an unsuccessful response: BankRefused, DialogEnded or OrderFailed. */
export const checkResponse = (response: BankResponse): BankResponse => {
  throwRefusal(response);
  if (isBroken(response)) throw new DialogEnded(response);
  if (response.codes.some(({ code }) => code.startsWith('9'))) throw new OrderFailed(response);
  return response;
};
