// The steps of a link session. Each step in linkSteps has a function from the state where it is taken to the next state. The
// functions do not change the session itself.
import { isRevoked } from '../../domain/connections/connection.ts';
import { Conflict } from '../../platform/values/errors.ts';
import { approveReading } from './approveReading.ts';
import { consentOf, keepConsentText } from './consent.ts';
import type { In, LinkSessionStatus, LinkStepKind, linkSteps } from './linkSession.ts';
import { retryTargets } from './linkSessionView.ts';
import { answerByReturn, answerChallenge, doChallengeAction, listAccounts, signIn } from './signIn.ts';
import { invalidStep, type Next, type StepContext, type StepOf } from './step.ts';

/** A function for each step of `linkSteps`; the compiler reports missing and extra ones. */
type Moves = {
  [At in LinkSessionStatus]: {
    [Kind in LinkStepKind & keyof (typeof linkSteps)[At]]: (
      context: StepContext,
      state: In<At>,
      step: StepOf<Kind>,
    ) => Next | Promise<Next>;
  };
};

const agree = async (
  { deps, session, call }: StepContext,
  { institution }: In<'consent'>,
  { hash }: StepOf<'consent'>,
): Promise<Next> => {
  const { hash: textHash, ...text } = await consentOf(deps, session);
  if (hash !== undefined && hash !== textHash) throw new Conflict();
  await keepConsentText(deps, { hash: textHash, ...text });
  const consent = { textHash, language: text.language, acceptedAt: call.now.toISOString() };
  const kept = { ...session.kept, consent };
  if (institution) return { to: { at: 'credentials', institution, error: undefined }, kept };
  return { to: { at: 'institution' }, kept };
};

const selectInstitution = (
  { deps, session }: StepContext,
  _: In<'institution'>,
  { institutionId }: StepOf<'selectInstitution'>,
): Next => {
  const found = deps.registry.find(session.application.environment, institutionId);
  if (!found || found.institution.missingSince !== undefined)
    throw invalidStep('institutionId', 'must be the id of a listed institution');
  const { id, name } = found.institution;
  return { to: { at: 'credentials', institution: { id, name }, error: undefined } };
};

const selectAccounts = (
  context: StepContext,
  { at, asked, sharedIds, ...signedIn }: In<'accounts'>,
  { accountIds }: StepOf<'selectAccounts'>,
): Promise<Next> => {
  const selected = signedIn.accounts.filter((_, index) => accountIds.includes(String(index)));
  if (selected.length === 0 || selected.length !== accountIds.length)
    throw invalidStep('accountIds', 'must contain ids of accounts in this view, each once');
  const selection = {
    ...signedIn,
    accountIds: selected.map(({ id }) => id),
    isRepeated: asked !== undefined,
    ...(sharedIds && { choice: 'made' as const }),
  };
  const { reconnectConnectionId } = context.session.row;
  return approveReading(context, { import: selection, reconnectConnectionId });
};

const reconnectDuplicate = async (
  context: StepContext,
  { at, asked, sharedIds, ...signedIn }: In<'accounts'>,
): Promise<Next> => {
  if (!asked?.duplicate.canReconnect) throw invalidStep('kind', 'must be allowed by alreadyConnected');
  const { connectionId } = asked.duplicate;
  if (await isRevoked(context.deps.db, connectionId)) throw new Conflict();
  const selection = { ...signedIn, accountIds: asked.accountIds, isRepeated: false };
  return approveReading(context, { import: selection, reconnectConnectionId: connectionId });
};

const retry = async (
  context: StepContext,
  state: In<'failed'>,
  { target: wanted }: StepOf<'retry'>,
): Promise<Next> => {
  const targets = retryTargets(context.deps, context.session);
  const target = wanted ?? targets[0];
  if (!target || !targets.includes(target))
    throw invalidStep('target', "must be one of the view's retryTargets");
  if (target === 'accounts' && state.signedIn) return listAccounts(context, state.signedIn);
  if (target === 'institution' || !state.institution) return { to: { at: 'institution' } };
  return { to: { at: 'credentials', institution: state.institution, error: undefined } };
};

/** Before transactions are read, goes back to the accounts, unless a reconnecting session did not show them. */
const backFromChallenge = ({ session }: StepContext, { institution, reading }: In<'challenge'>): Next => {
  if (!reading || session.row.reconnectConnectionId !== null)
    return { to: { at: 'credentials', institution, error: undefined } };
  const { accountIds, isRepeated, ...shown } = reading.import;
  return { to: { at: 'accounts', ...shown, asked: undefined, sharedIds: undefined } };
};

const backToInstitution = (): Next => ({ to: { at: 'institution' } });

export const moves: Moves = {
  consent: { consent: agree },
  institution: { selectInstitution, back: () => ({ to: { at: 'consent', institution: undefined } }) },
  credentials: { credentials: signIn, back: backToInstitution },
  challenge: {
    answer: answerChallenge,
    challengeAction: doChallengeAction,
    returned: answerByReturn,
    back: backFromChallenge,
  },
  accounts: { selectAccounts, reconnect: reconnectDuplicate, back: backToInstitution },
  importing: {},
  finished: {},
  failed: { retry },
  ended: {},
};
