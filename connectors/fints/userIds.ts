// Ids that the bank replaces (FinTS 3.0, Rückmeldungscodes, 3072). The connector uses the new ids from then on. The end user
// keeps typing the old ones, and the service's stored credentials contain them.
import { isUserId } from './dialog.ts';
import { type BankResponse, parametersOf } from './message.ts';
import type { Device, Login, Renamed, UserIds } from './state.ts';

/** The new user id and customer id in a response; undefined if there are none. */
export const findNewIds = (response: BankResponse): UserIds | undefined => {
  const [userId = '', customerId = ''] = parametersOf(response, '3072') ?? [];
  if (!isUserId(userId)) return undefined;
  return { userId, ...(isUserId(customerId) && { customerId }) };
};

/** The login with the new ids, if any. */
export const rename = ({ userId, customerId, ...login }: Login, ids: UserIds | undefined): Login => {
  const before = { userId, ...(customerId !== undefined && { customerId }) };
  return ids ? { typed: before, ...login, ...ids } : { ...login, ...before };
};

/** The login with the known replacements of the typed ids. */
export const renameKnown = (login: Login, renamed: Renamed | undefined): Login => {
  const isSame = renamed?.typed.userId === login.userId && renamed.typed.customerId === login.customerId;
  return rename(login, isSame ? renamed?.ids : undefined);
};

/** The new ids as stored with the device. */
export const toRenamed = ({ typed, userId, customerId }: Login): Pick<Device, 'renamed'> =>
  typed ? { renamed: { typed, ids: { userId, ...(customerId !== undefined && { customerId }) } } } : {};
