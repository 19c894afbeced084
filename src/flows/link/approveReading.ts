// Shows the bank's challenges, including one that it asks before it returns the transactions of the selected accounts.
import type { SignInResult } from '../../../connectors/kit/contract.ts';
import { BankUnreachable } from '../../platform/values/errors.ts';
import type { In, LinkingDeps, PendingImport } from './linkSession.ts';
import { consumeSignIn } from './signInLimits.ts';
import { connectorOf, type Next, type StepContext } from './step.ts';

/**
 * Continues with the import, or first with the bank's challenge. A reconnect matches its accounts later, among all accounts.
 * Only a challenge counts as a sign-in, because it may send a text message.
 */
export const approveReading = async (context: StepContext, pending: PendingImport): Promise<Next> => {
  const { deps, session, call, ipKey } = context;
  const connector = connectorOf(context);
  if (!connector.approveReading) return pending;
  const { access, accounts, accountIds: selected, choice, institution, values } = pending.import;
  const isChosen = pending.reconnectConnectionId === null || choice === 'made';
  const accountIds = isChosen ? selected : accounts.map(({ id }) => id);
  const reply = connector.approveReading({ access, accountIds }, call);
  const result = await orNoChallenge(reply, pending);
  if (result.kind === 'signedIn') return withAccess(pending, result);
  const signInAt = deps.clock.real().toISOString();
  consumeSignIn(deps, { session, values }, ipKey);
  return showChallenge(context, { institution, values, signInAt, actions: 0, reading: pending }, result);
};

/** Treats an unreachable bank as one without a challenge; the import then reports the failure. */
export const orNoChallenge = (
  reply: Promise<SignInResult>,
  { import: selection }: PendingImport,
): Promise<SignInResult> =>
  reply.catch((error) => {
    if (!(error instanceof BankUnreachable)) throw error;
    return { kind: 'signedIn', access: selection.access };
  });

/** The import with the latest credentials from the bank. */
export const withAccess = (
  pending: PendingImport,
  {
    access,
    deviceToken = pending.import.deviceToken,
    expiresAt = pending.import.expiresAt,
  }: SignInResult & { kind: 'signedIn' },
): PendingImport => ({ ...pending, import: { ...pending.import, access, deviceToken, expiresAt } });

/** Kept while the bank waits for an answer: the sign-in and, as `reading`, the import that waits for it, if any. */
export type SigningIn = Pick<In<'challenge'>, 'institution' | 'values' | 'signInAt' | 'actions' | 'reading'>;

/** Throws BankUnreachable('incomplete') for a bank's page that no user should be sent to. */
export const showChallenge = (
  { deps, call }: StepContext,
  { institution, values, signInAt, actions, reading }: SigningIn,
  { challenge: asked, challengeState, retry }: SignInResult & { kind: 'challenge' },
): Next => {
  const { resend, otherMethod, ...plain } = asked;
  const challenge = actions < deps.limits.linkChallengeActionsMax ? asked : plain;
  if (challenge.kind === 'redirect') checkRedirectUrl(deps, challenge.url);
  const to: In<'challenge'> = {
    ...{ at: 'challenge', institution, values, signInAt, challenge, challengeState, actions, reading },
    returnState: challenge.kind === 'redirect' ? call.returnTo.state : undefined,
    error: retry && { reason: 'wrong_answer', attemptsLeft: retry.attemptsLeft ?? undefined },
  };
  return retry ? { to, rejected: true } : { to };
};

const redirectUrlBytesMax = 8192;

/** Throws BankUnreachable('incomplete') for a URL that no user should be sent to. The Sandbox uses the service's own URL. */
const checkRedirectUrl = ({ baseUrl }: LinkingDeps, url: string): void => {
  const isOpenable =
    Buffer.byteLength(url) <= redirectUrlBytesMax &&
    URL.canParse(url) &&
    (new URL(url).protocol === 'https:' || new URL(url).origin === new URL(baseUrl).origin);
  if (!isOpenable) throw new BankUnreachable('incomplete');
};
