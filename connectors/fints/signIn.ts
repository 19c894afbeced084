// Signs in: determines the end user's ids and TAN method at the bank, and opens a dialog, which may need a TAN. Each step may run
// in another process.
import {
  BankRefused,
  BankUnreachable,
  type CallContext,
  type SignInResult,
} from '@bank-connection/connector-kit';
import type { Segment } from 'lib-fints';
import { findAccounts } from './accounts.ts';
import { findBankParameters } from './bankParameters.ts';
import { findTanQuestion, toChallengeResult } from './challenge.ts';
import {
  checkResponse,
  DialogEnded,
  OrderFailed,
  throwRefusal,
  throwUnknownUser,
  wantsTan,
} from './codes.ts';
import { continueDialog, type Dialog, type FintsDeps, findBank, makeOrder, newDialog } from './dialog.ts';
import { countryCode } from './envelope.ts';
import { type BankResponse, decodeSegment, segmentsOf } from './message.ts';
import { completeAccounts, makeTanOrders, sendOrder } from './orders.ts';
import {
  type Access,
  type Choices,
  type Device,
  decodeState,
  encodeState,
  type Login,
  type Told,
} from './state.ts';
import {
  findTanMedia,
  findTanMethods,
  permittedMethodIds,
  type TanMedium,
  type TanMethod,
} from './tanMethods.ts';
import { findNewIds, rename, renameKnown, toRenamed } from './userIds.ts';

/** A login; `attended` if someone can answer challenges. */
export type Signer = { login: Login; attended: boolean };

/** The bank no longer accepts the method that the end user chose. */
class MethodGone extends BankRefused {
  constructor() {
    super('user_action_required');
  }
}

/** Signs in with a known device, or registers a new one. */
export const startSignIn = async (
  deps: FintsDeps,
  signer: Signer,
  deviceToken: string | undefined,
  context: CallContext,
): Promise<SignInResult> => {
  const device = deviceToken === undefined ? undefined : decodeState('device', deviceToken);
  if (!device) return signInNewDevice(deps, signer, context);
  // Each attempt would send a TAN although nobody is present.
  if (device.asksForStatements) requireUser(signer);
  const known = { ...signer, login: renameKnown(signer.login, device.renamed) };
  try {
    return await logIn(deps, known, { device, choices: undefined }, context);
  } catch (error) {
    if (!signer.attended || !(error instanceof MethodGone)) throw error;
    return signInNewDevice(deps, signer, context);
  }
};

const signInNewDevice = async (
  deps: FintsDeps,
  signer: Signer,
  context: CallContext,
): Promise<SignInResult> => {
  const { login, ...choices } = await synchronize(deps, signer.login, context);
  const [method, ...others] = choices.methods;
  if (others.length === 0) return withMethod(deps, { ...signer, login }, { method, choices }, context);
  requireUser(signer);
  return toChallengeResult({ login, choices, step: 'method' });
};

const requireUser = ({ attended }: Signer): void => {
  if (!attended) throw new BankRefused('user_action_required');
};

/** Requests a system id for this device (HKSYN), the bank's parameters, and the end user's methods and ids. */
const synchronize = async (
  deps: FintsDeps,
  login: Login,
  context: CallContext,
): Promise<Choices & { login: Login }> => {
  const device: Device = { systemId: '0' };
  const dialog = continueDialog(deps, { login, device }, newDialog, context);
  const orders = [...identify(deps, dialog), makeOrder('HKSYN', 3, { mode: 0 })];
  const response = await dialog.send(orders);
  throwRefusal(response);
  throwUnknownUser(response);
  checkResponse(response);
  const [segment] = segmentsOf(response, 'HISYN');
  const { systemId } = segment ? decodeSegment<{ systemId?: string }>(segment) : {};
  if (!systemId) throw new BankUnreachable('incomplete');
  await dialog.end();
  const permitted = permittedMethodIds(response);
  const methods = findTanMethods(response).filter(({ id }) => permitted?.includes(id) ?? true);
  const parameters = findBankParameters(response);
  return { systemId, parameters, methods, login: rename(login, findNewIds(response)) };
};

const productVersion = '1.0';

/** HKIDN and HKVVB, which open a dialog. Version 0 makes the bank send all parameters. */
export const identify = (deps: FintsDeps, { party: { login, device } }: Dialog): Segment[] => [
  makeOrder('HKIDN', 2, {
    bank: { country: countryCode, bankId: findBank(deps, login).bankCode },
    ...{ customerId: login.customerId ?? login.userId, systemId: device.systemId },
    systemIdRequired: login.pin ? 1 : 0,
  }),
  makeOrder('HKVVB', 3, {
    ...{ bpdVersion: 0, updVersion: 0, dialogLanguage: 0 },
    ...{ productId: deps.productId, productVersion },
  }),
];

type ChosenMethod = { method: TanMethod | undefined; choices: Choices };

/** Continues with a TAN method. Without one, the bank uses no strong authentication in FinTS. */
export const withMethod = async (
  deps: FintsDeps,
  signer: Signer,
  { method, choices }: ChosenMethod,
  context: CallContext,
): Promise<SignInResult> => {
  const { systemId } = choices;
  if (!method?.needsMedium) return logIn(deps, signer, { device: { systemId, method }, choices }, context);
  const media = await readMedia(deps, signer.login, { method, choices }, context);
  const [medium, ...others] = media;
  const chosen = { ...choices, media };
  if (others.length === 0) {
    const device = { systemId, method, ...(medium && { medium: medium.name }) };
    return logIn(deps, signer, { device, choices: chosen }, context);
  }
  requireUser(signer);
  return toChallengeResult({ login: signer.login, choices: chosen, step: 'medium', method });
};

/** The end user's devices (HKTAB), read in a dialog without a TAN; empty if the bank does not list them. */
const readMedia = async (
  deps: FintsDeps,
  login: Login,
  { method, choices: { systemId, parameters } }: ChosenMethod,
  context: CallContext,
): Promise<TanMedium[]> => {
  const version = parameters?.versions.HKTAB;
  if (!parameters || version === undefined) return [];
  const dialog = continueDialog(deps, { login, device: { systemId, method } }, newDialog, context);
  const order = makeOrder('HKTAB', version, { mediaType: 0, mediaClass: 'A' });
  const ask = async (): Promise<TanMedium[]> => {
    const opening = [...identify(deps, dialog), ...makeTanOrders(dialog.party.device, 'HKTAB')];
    checkResponse(await dialog.send(opening));
    return findTanMedia(await sendOrder({ dialog, parameters }, order));
  };
  const media = await ask().catch((error: unknown) => {
    // If the bank requires stronger authentication or ended the dialog, the next dialog reports it.
    const wantsUser = error instanceof BankRefused && error.reason === 'user_action_required';
    if (wantsUser || error instanceof OrderFailed || error instanceof DialogEnded) return [];
    throw error;
  });
  await dialog.end();
  return media;
};

type KnownDevice = { device: Device; choices: Choices | undefined };

/** Opens the dialog for reading accounts. The bank may want a TAN. */
export const logIn = async (
  deps: FintsDeps,
  signer: Signer,
  { device, choices }: KnownDevice,
  context: CallContext,
): Promise<SignInResult> => {
  const dialog = continueDialog(deps, { login: signer.login, device }, newDialog, context);
  const orders = [...identify(deps, dialog), ...makeTanOrders(device, 'HKIDN')];
  const response = await dialog.send(orders);
  throwRefusal(response);
  const permitted = permittedMethodIds(response);
  if (device.method && permitted && !permitted.includes(device.method.id)) throw new MethodGone();
  checkResponse(response);
  const told = { parameters: choices?.parameters, accounts: [] };
  if (!wantsTan(response))
    return finishSignIn(dialog, response, { told, signer, isApproved: false }, context);
  requireUser(signer);
  const question = findTanQuestion(response);
  if (!question || !device.method) throw new BankUnreachable('incomplete');
  const { orderReference, challenge } = question;
  const pending = { device, dialog: dialog.state(), orderReference, polls: 0 };
  const about = { told: mergeTold(told, response) };
  return toChallengeResult({ login: signer.login, choices, step: 'tan', pending, challenge, about });
};

const mergeTold = ({ parameters, accounts, newIds }: Told, response: BankResponse): Told => {
  const found = findAccounts(response);
  return {
    parameters: findBankParameters(response) ?? parameters,
    accounts: found.length > 0 ? found : accounts,
    newIds: findNewIds(response) ?? newIds,
  };
};

/** Reads the accounts and their balances, and keeps the dialog open for reading transactions. */
export const finishSignIn = async (
  dialog: Dialog,
  response: BankResponse,
  { told, signer, isApproved }: { told: Told; signer: Signer; isApproved: boolean },
  context: CallContext,
): Promise<SignInResult> => {
  const { parameters, accounts, newIds } = mergeTold(told, response);
  if (!parameters) throw new BankUnreachable('incomplete');
  const shown = await completeAccounts({ dialog, parameters }, accounts, context.now);
  const login = rename(signer.login, newIds);
  return toSignedIn({
    login,
    device: { ...renewDevice(dialog.party.device, response), ...toRenamed(login) },
    parameters,
    accounts: shown,
    dialog: { ...dialog.state(), isApproved, isAttended: signer.attended },
  });
};

export const toSignedIn = (access: Access): SignInResult & { kind: 'signedIn' } => ({
  kind: 'signedIn',
  access: encodeState('access', access),
  deviceToken: encodeState('device', access.device),
});

/** Updates the device's method to the bank's latest description. */
const renewDevice = (device: Device, response: BankResponse): Device => {
  const method = findTanMethods(response).find(({ id }) => id === device.method?.id);
  return method ? { ...device, method } : device;
};
