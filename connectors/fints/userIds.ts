// The ids of an end user that the bank replaces (FinTS 3.0, Rückmeldungscodes, 3072). They are used from then on, while the end
// user, and the service with its stored credentials, continue to use the typed ones.
import { isUserId } from './dialog.ts';
import { type BankResponse, parametersOf } from './message.ts';
import type { Device, Login, Renamed, UserIds } from './state.ts';

/** The new ids in a response, user id before customer id; undefined without any. */
export const findNewIds = (response: BankResponse): UserIds | undefined => {
  const [userId = '', customerId = ''] = parametersOf(response, '3072') ?? [];
  if (!isUserId(userId)) return undefined;
  return { userId, ...(isUserId(customerId) && { customerId }) };
};

/** The login with new ids, if there are any. */
export const rename = ({ userId, customerId, ...login }: Login, ids: UserIds | undefined): Login => {
  const before = { userId, ...(customerId !== undefined && { customerId }) };
  return ids ? { typed: before, ...login, ...ids } : { ...login, ...before };
};

/** The login with the bank's replacements of the typed ids. */
export const renameKnown = (login: Login, renamed: Renamed | undefined): Login => {
  const isSame = renamed?.typed.userId === login.userId && renamed.typed.customerId === login.customerId;
  return rename(login, isSame ? renamed?.ids : undefined);
};

/** The new ids, as the device stores them. */
export const toRenamed = ({ typed, userId, customerId }: Login): Pick<Device, 'renamed'> =>
  typed ? { renamed: { typed, ids: { userId, ...(customerId !== undefined && { customerId }) } } } : {};
