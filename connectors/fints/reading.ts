// One reading: in the dialog that the sign-in has opened, or in a new one where the bank has ended it.
import {
  BankRefused,
  type BankTransaction,
  BankUnreachable,
  type CallContext,
  type Reading,
  throwIfAborted,
} from '@bank-connection/connector-kit';
import { accountIdOf, type FintsAccount, toBankAccount } from './accounts.ts';
import { continueDialog, type FintsDeps } from './dialog.ts';
import { type OpenDialog, readHistory } from './history.ts';
import { readBalances } from './orders.ts';
import { logIn } from './signIn.ts';
import { type Access, encodeState, requireState } from './state.ts';

type ReadRequest = { accountIds?: readonly string[]; since?: string };

type OpenReading = { open: OpenDialog; access: Access; accounts: FintsAccount[] };

/** Begins a reading. Throws BankRefused('user_action_required') where the bank wants a TAN for a new dialog. */
export const startReading = async (
  deps: FintsDeps,
  access: Access,
  { accountIds, since }: ReadRequest,
  context: CallContext,
): Promise<Reading> => {
  throwIfAborted(context.signal);
  const reading = (await resume(deps, access, context)) ?? (await reopen(deps, access, context));
  const accounts = reading.accounts.filter((account) => accountIds?.includes(accountIdOf(account)) ?? true);
  if (accountIds && accounts.length !== accountIds.length) throw new BankUnreachable('incomplete');
  let hasFailed = false;
  const failWith = (error: unknown): never => {
    hasFailed = true;
    throw error;
  };
  return {
    accounts: accounts.map(toBankAccount),
    history: async (accountId) => {
      throwIfAborted(context.signal);
      const account = accounts.find((one) => accountIdOf(one) === accountId);
      if (!account) throw new BankUnreachable('incomplete');
      const request = { since, bytesMax: deps.answerBytesMax };
      const history = await readHistory(reading.open, account, request, context).catch(failWith);
      return { ...history, chunks: catchFailures(history.chunks, failWith) };
    },
    end: async () => {
      throwIfAborted(context.signal);
      if (!hasFailed) await reading.open.dialog.end();
      return { access: encodeState('access', accessAfter(reading, hasFailed)) };
    },
  };
};

/**
 * The dialog of an access, if it is still open. Where the end user has approved it, time may have passed, and banks say in
 * many ways that they have ended it.
 */
const resume = async (
  deps: FintsDeps,
  access: Access,
  context: CallContext,
): Promise<OpenReading | undefined> => {
  if (!access.dialog) return undefined;
  const { login, device, parameters } = access;
  const { isApproved, ...state } = access.dialog;
  const dialog = continueDialog(deps, { login, device }, state, context);
  const open = { dialog, parameters, isApproved };
  if (!isApproved) return { open, access, accounts: access.accounts };
  try {
    const accounts = await readBalances(open, access.accounts, context.now);
    return hasBalances(accounts) || !hasBalances(access.accounts) ? { open, access, accounts } : undefined;
  } catch (error) {
    if (context.signal.aborted) throw error;
    return undefined;
  }
};

const hasBalances = (accounts: readonly FintsAccount[]): boolean => accounts.some(({ balance }) => balance);

/** A new dialog, for which nobody can give a TAN. */
const reopen = async (deps: FintsDeps, access: Access, context: CallContext): Promise<OpenReading> => {
  const { login, device, parameters } = access;
  const choices = { systemId: device.systemId, parameters, methods: [] };
  const signedIn = await logIn(deps, { login, attended: false }, { device, choices }, context);
  if (signedIn.kind !== 'signedIn') throw new BankRefused('user_action_required');
  const opened = await resume(deps, requireState('access', signedIn.access), context);
  if (!opened) throw new BankUnreachable('down');
  return opened;
};

async function* catchFailures(
  chunks: AsyncIterable<BankTransaction[]>,
  failWith: (error: unknown) => never,
): AsyncGenerator<BankTransaction[]> {
  try {
    yield* chunks;
  } catch (error) {
    failWith(error);
  }
}

/** After a failure the next attempt goes on in the dialog that the end user has approved. */
const accessAfter = ({ open, access, accounts }: OpenReading, hasFailed: boolean): Access => {
  const { dialog: _, ...rest } = access;
  const { dialog, isApproved } = open;
  return {
    ...{ ...rest, accounts },
    ...(hasFailed && isApproved && { dialog: { ...dialog.state(), isApproved } }),
  };
};
