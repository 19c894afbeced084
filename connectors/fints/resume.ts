// Continues the dialog that the sign-in opened, or opens a new one if the bank has ended it.
import { BankRefused, BankUnreachable, type CallContext } from '@bank-connection/connector-kit';
import type { FintsAccount } from './accounts.ts';
import { continueDialog, type FintsDeps } from './dialog.ts';
import type { OpenDialog } from './history.ts';
import { readBalances } from './orders.ts';
import { logIn } from './signIn.ts';
import { type Access, requireState } from './state.ts';

export type OpenReading = { open: OpenDialog; access: Access; accounts: FintsAccount[] };

/**
 * The dialog of an access, if it is still open. The bank may have ended it while the end user was answering; banks report this in
 * many ways.
 */
export const resume = async (
  deps: FintsDeps,
  access: Access,
  context: CallContext,
): Promise<OpenReading | undefined> => {
  if (!access.dialog) return undefined;
  const open = continueAccess(deps, access, access.dialog, context);
  if (!access.dialog.isAttended) return { open, access, accounts: access.accounts };
  try {
    const accounts = await readBalances(open, access.accounts, context.now);
    return hasBalances(accounts) || !hasBalances(access.accounts) ? { open, access, accounts } : undefined;
  } catch (error) {
    if (context.signal.aborted) throw error;
    return undefined;
  }
};

export const continueAccess = (
  deps: FintsDeps,
  { login, device, parameters }: Access,
  { isApproved, isAttended, ...state }: NonNullable<Access['dialog']>,
  context: CallContext,
): OpenDialog => ({
  dialog: continueDialog(deps, { login, device }, state, context),
  ...{ parameters, isApproved },
});

export const hasBalances = (accounts: readonly FintsAccount[]): boolean =>
  accounts.some(({ balance }) => balance);

/** Opens a new dialog, without anyone who could enter a TAN. */
export const reopen = async (deps: FintsDeps, access: Access, context: CallContext): Promise<OpenReading> => {
  const { login, device, parameters } = access;
  const choices = { systemId: device.systemId, parameters, methods: [] };
  const signedIn = await logIn(deps, { login, attended: false }, { device, choices }, context);
  if (signedIn.kind !== 'signedIn') throw new BankRefused('user_action_required');
  const opened = await resume(deps, requireState('access', signedIn.access), context);
  if (!opened) throw new BankUnreachable('down');
  const { firstAnswers } = access;
  return { ...opened, access: { ...opened.access, ...(firstAnswers && { firstAnswers }) } };
};
