// Makes the state in which the page shows a challenge.
import type { SignInResult } from '../../../connectors/kit/contract.ts';
import { BankUnreachable } from '../../platform/values/errors.ts';
import type { In, LinkingDeps } from './linkSession.ts';
import type { Next, StepContext } from './step.ts';

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
