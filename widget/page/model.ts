// The page's state and behavior as a pure function: an event from the user or the service results in the next model and in
// effects, which transport.ts runs. It uses no network, timers or document.
import type { ConnectResult } from '../types.ts';
import type { LinkSessionView, LinkStep } from './apiClient.ts';
import { eventOfStep, eventsOfView, type WidgetEvent } from './events.ts';
import type { FailedReason } from './failedReason.ts';

export type PageContent =
  | { kind: 'loading' }
  | { kind: 'view'; view: LinkSessionView }
  /** There is no link session: none could be created, or it no longer exists. */
  | { kind: 'failed'; reason: FailedReason; developerText?: string };

export type Model = {
  content: PageContent;
  /** The step being sent. Screens do not show `quiet` steps, which poll for the user's approval. */
  sending?: { step: LinkStep; quiet?: true };
  /** The user's step that waits for a quiet one. */
  next?: LinkStep;
  /** The service is unreachable; requests are retried. */
  offline: boolean;
  /** The user reported that their bank is not listed. The link session stays in the state `institution`. */
  notListed: boolean;
  /** The seconds until the credentials may be sent to the bank, which was prevented by too many sign-ins. */
  retryAfterSeconds?: number;
  /** The user's input for a bank, without secrets, restored when they go back. */
  typed?: { institutionId: string; values: Record<string, string> };
  /** The question before the user leaves. */
  leaveQuestion?: string;
  /** The view is from an earlier page's session, and the user has not done anything yet. */
  resumed?: true;
  /** The institution to select on the user's behalf; only once, because the user may go back. */
  preselect?: string;
  /** The list, shown only if the preselected institution is unknown. */
  list?: LinkSessionView;
  /** The last view whose events were sent to the host. */
  told?: LinkSessionView;
};

export type PageEvent =
  | { kind: 'opened'; view: LinkSessionView; resumed?: true }
  /** The outcome of a step or of a poll. */
  | { kind: 'viewed'; view: LinkSessionView }
  | { kind: 'limited'; retryAfterSeconds: number }
  /** The preselected institution is unknown. */
  | { kind: 'not_selected' }
  | { kind: 'connectivity'; offline: boolean }
  | { kind: 'stopped'; reason: FailedReason; developerText?: string }
  | { kind: 'step'; step: LinkStep }
  | { kind: 'approval_poll' }
  | { kind: 'not_listed' }
  | { kind: 'back' }
  | { kind: 'leave_question'; text: string | undefined };

export type Effect =
  | { do: 'send'; step: LinkStep; version: number }
  | { do: 'poll' }
  | { do: 'tell'; event: WidgetEvent }
  /** May occur more than once. */
  | { do: 'deliver'; result: ConnectResult }
  /** Keeps the session for the next page in this tab, or forgets it. */
  | { do: 'keep' | 'forget' };

export type Dispatch = (event: PageEvent) => void;

export const initialModel: Model = { content: { kind: 'loading' }, offline: false, notListed: false };

/** True while a user's step is pending; no other step is accepted. */
export const isSubmitting = ({ content, sending, next }: Model): boolean =>
  content.kind === 'view' &&
  (content.view.busy === true || next !== undefined || (sending !== undefined && !sending.quiet));

export const viewOf = ({ content }: Pick<Model, 'content'>): LinkSessionView | undefined =>
  content.kind === 'view' ? content.view : undefined;

export const reduce = (model: Model, event: PageEvent): [Model, ...Effect[]] => {
  switch (event.kind) {
    case 'opened': {
      // A continued session already has its institution, or the user has gone back from it.
      const begun = event.resumed ? { ...model, resumed: event.resumed, preselect: undefined } : model;
      const [next, ...effects] = showView(begun, event.view);
      return [next, { do: 'tell', event: { name: 'opened', metadata: {} } }, ...effects];
    }
    case 'viewed': {
      const [next, ...effects] = showView(model, event.view);
      if (!model.list || !model.sending) return [next, ...effects];
      return [next, ...tell(eventOfStep(model.sending.step, model.list)), ...effects];
    }
    case 'not_selected':
      return model.list ? showView(model, model.list) : [model];
    case 'limited': {
      const retryAfterSeconds = Math.max(1, event.retryAfterSeconds);
      return [{ ...model, sending: undefined, next: undefined, offline: false, retryAfterSeconds }];
    }
    case 'connectivity':
      return [{ ...model, offline: event.offline }];
    case 'stopped': {
      const { reason, developerText } = event;
      const stopped: Model = { ...initialModel, content: { kind: 'failed', reason, developerText } };
      return [stopped, { do: 'forget' }, ...tell({ name: 'failed', metadata: { reason } })];
    }
    case 'step':
      return takeStep(model, event.step);
    case 'approval_poll':
      return model.sending || isSubmitting(model)
        ? [model]
        : send(model, { step: { kind: 'answer', answer: '' }, quiet: true });
    case 'not_listed': {
      const metadata = { reason: 'institution_not_listed' } as const;
      return [{ ...model, notListed: true }, ...tell({ name: 'institution_not_listed', metadata })];
    }
    case 'back':
      return model.notListed ? [{ ...model, notListed: false }] : takeStep(model, { kind: 'back' });
    case 'leave_question':
      return [{ ...model, leaveQuestion: event.text }];
  }
};

const tell = (event: WidgetEvent | undefined): Effect[] => (event ? [{ do: 'tell', event }] : []);

/** Takes one of the user's steps. Does nothing while another one is being sent. */
const takeStep = (model: Model, step: LinkStep): [Model, ...Effect[]] => {
  if (isSubmitting(model)) return [model];
  const taken = { ...model, ...typedIn(step, model), retryAfterSeconds: undefined, resumed: undefined };
  return model.sending ? [{ ...taken, next: step }] : send(taken, { step });
};

/** The values of a sign-in form that are not secret. */
const typedIn = (step: LinkStep, model: Model): Pick<Model, 'typed'> => {
  const view = viewOf(model);
  if (step.kind !== 'credentials' || view?.state !== 'credentials') return {};
  const shown = view.fields.filter(({ secret }) => !secret);
  const values = Object.fromEntries(shown.map(({ name }) => [name, step.values[name] ?? '']));
  return { typed: { institutionId: view.institution.id, values } };
};

const send = (model: Model, sending: NonNullable<Model['sending']>): [Model, ...Effect[]] => {
  const view = viewOf(model);
  if (!view) return [model];
  const { step } = sending;
  return [
    { ...model, sending, next: undefined },
    ...tell(eventOfStep(step, view)),
    { do: 'send', step, version: view.version },
  ];
};

const showView = (model: Model, view: LinkSessionView): [Model, ...Effect[]] => {
  const { preselect, next } = model;
  if (preselect !== undefined && view.state === 'institution' && !view.busy) {
    const step: LinkStep = { kind: 'selectInstitution', institutionId: preselect };
    const selecting = { ...model, preselect: undefined, list: view, sending: { step } };
    return [selecting, { do: 'send', step, version: view.version }];
  }
  const isOver = view.state === 'finished' || view.state === 'failed';
  const shown: Model = {
    ...{ ...model, content: { kind: 'view', view }, offline: false },
    ...{ sending: undefined, next: undefined, list: undefined, told: view.busy ? model.told : view },
    // Nothing left to lose: dismiss the prompt.
    ...(isOver && { leaveQuestion: undefined }),
  };
  const effects: Effect[] = [
    ...(view.busy ? [] : eventsOfView(view, model.told).flatMap(tell)),
    // The user may try again in a failed session, but another page starts a new one.
    { do: view.state === 'failed' ? 'forget' : 'keep' },
    ...(view.state === 'finished' ? [{ do: 'deliver', result: view.result } as const] : []),
    ...(view.busy || view.state === 'importing' ? [{ do: 'poll' } as const] : []),
  ];
  // A step for an earlier screen is dropped.
  if (!next || view.state !== viewOf(model)?.state) return [shown, ...effects];
  if (view.busy) return [{ ...shown, next }, ...effects];
  const [sent, ...sending] = send(shown, { step: next });
  return [sent, ...effects, ...sending];
};
