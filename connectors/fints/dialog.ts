// A dialog with a bank: a sequence of messages, each signed with the end user's PIN and sent after the response to the previous
// one. lib-fints encodes only the orders, because its own dialogs cannot continue in another process.
import {
  BankRefused,
  BankUnreachable,
  type CallContext,
  findRateLimit,
  type Host,
  withoutResponse,
} from '@bank-connection/connector-kit';
import { encode, type Segment } from 'lib-fints';
import type { FintsBank } from './bankList.ts';
import { isEnded } from './codes.ts';
import { escapeText, firstOrderNumber, wrapOrders } from './envelope.ts';
import { type BankResponse, parseMessage } from './message.ts';
import type { Device, DialogState, Login } from './state.ts';

export type FintsDeps = {
  /** By institution id. */
  banks: ReadonlyMap<string, FintsBank>;
  /** The operator's registration. */
  productId: string;
} & Pick<Host, 'sendAnywhere' | 'answerBytesMax' | 'timeoutMs'>;

/** The login for a dialog. Without a device, or with a device that has no method, only the PIN signs messages. */
export type Party = { login: Login; device: Device };

export type Dialog = {
  party: Party;
  /** The current state of the dialog. */
  state(): DialogState;
  /** Sends orders, signed with a TAN if there is one, and returns the bank's response unchecked. */
  send(orders: readonly Segment[], tan?: string): Promise<BankResponse>;
  /** Ends the dialog at the bank, and ignores the response. */
  end(): Promise<void>;
};

/** An order (a segment) that lib-fints supports. Its number is assigned when the message is built. */
export const makeOrder = (segId: string, version: number, fields: Record<string, unknown>): Segment => ({
  header: { segId, segNr: 0, version },
  ...fields,
});

/** An order that lib-fints does not support, as data elements or groups of them. */
export type PlainOrder = Segment & { elements: (string | string[])[] };

const encodeOrder = (order: Segment | PlainOrder, segNr: number): string => {
  const { segId, version } = order.header;
  if (!('elements' in order)) return encode({ ...order, header: { segId, segNr, version } });
  const elements = order.elements.map((element) => [element].flat().map(escapeText).join(':'));
  return `${segId}:${segNr}:${version}+${elements.join('+').replace(/\++$/, '')}'`;
};

/** The state before the first message opens the dialog. */
export const newDialog: DialogState = { id: '0', messageNumber: 0 };

/** Opens a new dialog, or continues one from `state`. */
export const continueDialog = (
  deps: FintsDeps,
  party: Party,
  start: DialogState,
  context: Pick<CallContext, 'signal' | 'now'>,
): Dialog => {
  const bank = findBank(deps, party.login);
  let { id, messageNumber } = start;
  let isOpen = true;
  const send = async (orders: readonly Segment[], tan?: string): Promise<BankResponse> => {
    messageNumber += 1;
    const text = encodeMessage({ id, messageNumber }, party, { bank, orders, tan });
    const response = parseMessage(await post(deps, bank.url, text, context));
    id = response.dialogId;
    isOpen = !isEnded(response);
    return response;
  };
  return {
    party,
    state: () => ({ id, messageNumber }),
    send,
    end: async () => {
      if (!isOpen) return;
      try {
        await send([makeOrder('HKEND', 1, { dialogId: id })]);
      } catch (error) {
        if (context.signal.aborted || !(error instanceof BankUnreachable)) throw error;
      }
    },
  };
};

/** Throws BankUnreachable('down') if the operator has removed the bank from the list. */
export const findBank = ({ banks }: FintsDeps, { institutionId }: Login): FintsBank => {
  const bank = banks.get(institutionId);
  if (!bank) throw new BankUnreachable('down');
  return bank;
};

type MessageContent = { bank: FintsBank; orders: readonly Segment[]; tan: string | undefined };

/** Encodes the message in ISO 8859-1, one character per byte. */
const encodeMessage = (
  { id, messageNumber }: DialogState,
  { login, device }: Party,
  { bank, orders, tan }: MessageContent,
): string => {
  try {
    const first = login.pin ? firstOrderNumber : firstOrderNumber - 1;
    const encoded = orders.map((order, index) => encodeOrder(order, first + index));
    return wrapOrders({ id, messageNumber }, { bankCode: bank.bankCode, login, device }, encoded, tan);
  } catch {
    // A value from the bank, such as a continuation mark, is longer than FinTS allows.
    throw new BankUnreachable('incomplete');
  }
};

const post = async (
  { sendAnywhere, answerBytesMax: bodyBytesMax, timeoutMs }: FintsDeps,
  url: URL,
  text: string,
  { signal, now }: Pick<CallContext, 'signal' | 'now'>,
): Promise<Buffer> => {
  const body = Buffer.from(text, 'latin1').toString('base64');
  const headers = { 'Content-Type': 'text/plain', 'Content-Length': body.length };
  const request = { method: 'POST', url, headers, body, bodyBytesMax, timeoutMs, signal } as const;
  const response = await sendAnywhere(request).catch((error: unknown) => {
    throw signal.aborted ? new BankUnreachable('timeout') : error;
  });
  if ('error' in response) throw withoutResponse(response.error);
  if (response.status !== 200)
    throw findRateLimit(response, { scope: 'institution', now }) ?? new BankUnreachable('down');
  if (response.body === undefined) throw new BankUnreachable('incomplete');
  return Buffer.from(response.body.toString('latin1'), 'base64');
};

/** True if FinTS can represent the text: ISO 8859-1, not empty, without control characters. */
export const isSendable = (text: string): boolean => /^[\x20-\x7E\xA0-\xFF]+$/.test(text);

const userIdLengthMax = 30;

/** True if the text can be the id of a user or a customer. */
export const isUserId = (text: string): boolean => isSendable(text) && text.length <= userIdLengthMax;

/**
 * The login from the end user's input. Throws BankRefused('wrong_credentials') for input that cannot be valid: ids have at most
 * 30 characters.
 */
export const toLogin = (institutionId: string, credentials: Record<string, string>): Login => {
  const { username = '', customerId: customer, pin = '' } = credentials;
  const ids = [username, customer ?? username].map((text) => text.trim());
  if (!ids.every(isUserId) || !isSendable(pin)) throw new BankRefused('wrong_credentials');
  const [userId, customerId] = ids as [string, string];
  return { institutionId, userId, pin, ...(customer !== undefined && { customerId }) };
};
