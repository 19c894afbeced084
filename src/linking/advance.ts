// One step of a session: what it remembers and what the user chose -> a question to the bank -> what it
// remembers next. The step is reserved first, so that a double click or a lost answer never asks twice.
import type { Bank, Call, SignIn } from '../banks/bank.ts';
import { BadInput, BankRefused, Conflict, Expired } from '../errors.ts';
import { failureOf, stepErrorOf } from './failure.ts';
import { queueImport } from './order.ts';
import { allowedSteps, type Memory, type OpenSession, type SessionState, type Step } from './session.ts';
import { sessionEnd } from './start.ts';
import { holdingStep } from './stepLease.ts';
import { failed, finishStep, releaseStep } from './store.ts';
import type { LinkingTools } from './tools.ts';
import { canRetry, fieldsOf } from './view.ts';

type Next = { state: SessionState; memory: Memory };
type Stage = { tools: LinkingTools; session: OpenSession; call: Call };

/** Takes a step. Throws Conflict where the view was older or the state does not allow it, BadInput, Expired. */
export const advance = async (
  tools: LinkingTools,
  session: OpenSession,
  request: { version: number; step: Step },
): Promise<void> => {
  const { row } = session;
  const { step } = request;
  const backWithoutBank = step.kind === 'back' && row.state === 'credentials' && row.reconnectId !== null;
  if (row.version !== request.version || !allowedSteps[row.state].includes(step.kind) || backWithoutBank) {
    throw new Conflict();
  }
  // Whoever goes away in the middle may come back: the step goes on to its end, which the bank's time limits.
  const call = {
    signal: new AbortController().signal,
    now: tools.clock.now(session.application.environment),
  };
  await holdingStep(tools, row, () => settle(tools, session, () => take({ tools, session, call }, step)));
};

const settle = async (
  tools: LinkingTools,
  session: OpenSession,
  takeStep: () => Promise<Next>,
): Promise<void> => {
  try {
    const next = await takeStep();
    if (next.state === 'importing') return await queueImport(tools, session, next.memory);
    await write(tools, session, next);
  } catch (error) {
    if (error instanceof BadInput || error instanceof Expired) {
      await releaseStep(tools.db.write, idOf(session));
      throw error;
    }
    if (error instanceof Conflict) throw error;
    await writeFailure(tools, session, error);
  }
};

const write = async (tools: LinkingTools, session: OpenSession, next: Next): Promise<void> => {
  const change = {
    state: next.state,
    memorySealed: session.sealMemory(next.memory),
    failure: null,
    expiresAt: sessionEnd(tools),
  };
  if (!(await finishStep(tools.db.write, idOf(session), change))) throw new Conflict();
};

const idOf = ({ row }: OpenSession) => ({ id: row.id, version: row.version });

const writeFailure = async (tools: LinkingTools, session: OpenSession, error: unknown): Promise<void> => {
  const { institution } = session.memory;
  const stepError = stepErrorOf(error);
  if (stepError)
    return write(tools, session, { state: 'credentials', memory: { institution, error: stepError } });
  const reason = failureOf(error);
  if (reason === 'internal') tools.reportFault(session.row.id, error);
  const change = {
    ...failed(reason),
    memorySealed: session.sealMemory({ institution }),
    expiresAt: sessionEnd(tools),
  };
  if (!(await finishStep(tools.db.write, idOf(session), change))) throw new Conflict();
};

const take = async (stage: Stage, step: Step): Promise<Next> => {
  switch (step.kind) {
    case 'consent':
      return { state: 'bank', memory: {} };
    case 'chooseBank':
      return chooseBank(stage, step.institutionId);
    case 'credentials':
      return signIn(stage, step.values);
    case 'answer':
      return answer(stage, step.answer);
    case 'chooseAccounts':
      return chooseAccounts(stage, step.accountIds);
    case 'back':
      return goBack(stage.session);
    case 'retry':
      return retry(stage.session);
  }
};

const chooseBank = ({ tools, session }: Stage, institutionId: string): Next => {
  const found = tools.registry.find(session.application.environment, institutionId);
  if (!found) throw badStep('institutionId', 'must be the id of one of the banks listed');
  const { id, name } = found.institution;
  return { state: 'credentials', memory: { institution: { id, name } } };
};

const badStep = (field: string, message: string): BadInput =>
  new BadInput('invalid_request', [{ path: `/body/step/${field.replaceAll('.', '/')}`, message }]);

const signIn = async (stage: Stage, values: Record<string, string>): Promise<Next> => {
  const { tools, session, call } = stage;
  const fields = fieldsOf(tools, session);
  const empty = fields.find((field) => !values[field.name]);
  if (empty) throw badStep(`values.${empty.name}`, 'must not be empty');
  const unknown = Object.keys(values).find((name) => !fields.some((field) => field.name === name));
  if (unknown) throw badStep(`values.${unknown}`, 'is not a field of this bank');
  const institution = session.memory.institution!;
  const request = { institutionId: institution.id, credentials: values, attended: true };
  return follow(stage, { institution, values }, await bankOf(stage).signIn(request, call));
};

const bankOf = ({ tools, session }: Stage): Bank => {
  const found = tools.registry.find(session.application.environment, session.memory.institution!.id);
  if (!found) throw new Expired();
  return found.bank;
};

const answer = async (stage: Stage, text: string): Promise<Next> => {
  const { memory } = stage.session;
  const next = await bankOf(stage).answer({ dialogue: memory.dialogue!, answer: text }, stage.call);
  return follow(stage, memory, next);
};

const follow = async (stage: Stage, { institution, values }: Memory, signedIn: SignIn): Promise<Next> => {
  if (signedIn.kind === 'challenge') {
    const { challenge, dialogue, retry: tries } = signedIn;
    const triesLeft = tries?.triesLeft ?? undefined;
    const error = tries && { reason: 'wrong_answer' as const, ...(triesLeft !== undefined && { triesLeft }) };
    return { state: 'challenge', memory: { institution, values, challenge, dialogue, error } };
  }
  const { access, deviceToken } = signedIn;
  const accounts = await bankOf(stage).accounts(access, stage.call);
  if (accounts.length === 0) throw new BankRefused('no_accounts');
  const memory = { institution, values, access, deviceToken, accounts };
  return { state: stage.session.row.reconnectId ? 'importing' : 'accounts', memory };
};

const chooseAccounts = ({ session }: Stage, chosen: readonly string[]): Next => {
  const accounts = session.memory.accounts!;
  const picked = accounts.filter((_, at) => chosen.includes(String(at)));
  if (picked.length === 0 || picked.length !== chosen.length) {
    throw badStep('accountIds', 'must name accounts of this view, each once');
  }
  return { state: 'importing', memory: { ...session.memory, accounts: picked } };
};

const goBack = ({ row, memory: { institution } }: OpenSession): Next => {
  if (row.state === 'bank') return { state: 'consent', memory: {} };
  if (row.state === 'challenge') return { state: 'credentials', memory: { institution } };
  return { state: 'bank', memory: {} };
};

const retry = (session: OpenSession): Next => {
  const { institution } = session.memory;
  const target = canRetry(session, session.row.failure ?? 'internal');
  if (target === 'none') throw new Conflict();
  return target === 'bank'
    ? { state: 'bank', memory: {} }
    : { state: 'credentials', memory: { institution } };
};
