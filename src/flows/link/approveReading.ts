// Asks the bank, once the accounts are chosen, whether it returns their transactions without a challenge.
import type { SignInResult } from '../../../connectors/kit/contract.ts';
import { BankUnreachable } from '../../platform/values/errors.ts';
import type { PendingImport } from './linkSession.ts';
import { showChallenge } from './showChallenge.ts';
import { consumeSignIn } from './signInLimits.ts';
import { connectorOf, type Next, type StepContext } from './step.ts';

/**
 * Leads to the import, or first to the bank's challenge. A reconnect finds its accounts later, among all of them. Only a
 * challenge counts as a sign-in, because it may send a text message.
 */
export const approveReading = async (context: StepContext, pending: PendingImport): Promise<Next> => {
  const { deps, session, call, ipKey } = context;
  const connector = connectorOf(context);
  if (!connector.approveReading) return pending;
  const { access, accounts, accountIds: selected, choice, institution, values } = pending.import;
  const isChosen = pending.reconnectConnectionId === null || choice === 'made';
  const accountIds = isChosen ? selected : accounts.map(({ id }) => id);
  const asked = connector.approveReading({ access, accountIds }, call);
  const result = await orNoChallenge(asked, pending);
  if (result.kind === 'signedIn') return withAccess(pending, result);
  const signInAt = deps.clock.real().toISOString();
  consumeSignIn(deps, { session, values }, ipKey);
  return showChallenge(context, { institution, values, signInAt, actions: 0, reading: pending }, result);
};

/** A bank that cannot be reached has no challenge: the import finds out. */
export const orNoChallenge = (
  asked: Promise<SignInResult>,
  { import: selection }: PendingImport,
): Promise<SignInResult> =>
  asked.catch((error) => {
    if (!(error instanceof BankUnreachable)) throw error;
    return { kind: 'signedIn', access: selection.access };
  });

/** The import with the credentials that the bank returned last. */
export const withAccess = (
  pending: PendingImport,
  {
    access,
    deviceToken = pending.import.deviceToken,
    expiresAt = pending.import.expiresAt,
  }: SignInResult & { kind: 'signedIn' },
): PendingImport => ({ ...pending, import: { ...pending.import, access, deviceToken, expiresAt } });
