// Runs one link session, from creation to the result: submits the user's steps, polls, retries while the service is
// unreachable and reports the result. The session's secret exists only in this object and in keptSession.ts.
import type { ConnectEvent, ConnectMetadata, ConnectResult } from '../types.ts';
import {
  type ApiClient,
  ApiError,
  backOff,
  type InstitutionProfile,
  type LinkSessionClient,
  type LinkSessionKey,
  type LinkSessionView,
  type LinkStep,
  type NewLinkSession,
  RateLimited,
  retryInBackground,
  retryUntilAnswered,
  ServiceUnreachable,
  sleep,
} from './apiClient.ts';
import { findDeveloperText } from './developerTexts.ts';
import { eventOfStep, eventsOfView, type WidgetEvent } from './events.ts';
import type { FailedReason } from './failedReason.ts';
import { findKeptSession, forgetSession, keepSession, ownsSession } from './keptSession.ts';

export type PageContent =
  | { kind: 'loading' }
  | { kind: 'view'; view: LinkSessionView }
  /** There is no link session: none could be created, or it no longer exists. */
  | { kind: 'failed'; reason: FailedReason; developerText?: string };

export type PageState = {
  content: PageContent;
  /** A step of the user has been submitted and is not finished. */
  submitting: boolean;
  /** The user has said that the bank is not in the list. The link session stays in the state `institution`. */
  notListed: boolean;
  /** The service is unreachable; requests are repeated. */
  offline: boolean;
  /** The credentials were not sent to the bank, because of too many sign-ins: after this time they may be. */
  retryAfterSeconds?: number;
  /** What the user typed at which bank, without secrets, so that they find it again when they go back. */
  typed?: { institutionId: string; values: Record<string, string> };
  /** What the user is asked before they leave. */
  leaveQuestion?: string;
  /** The view is that of a session which an earlier page had, and the user has not done anything yet. */
  resumed?: true;
};

export type ControllerOptions = NewLinkSession & {
  /** The service does not know it: the controller selects that institution as the user would. */
  institutionId?: string;
  /** Whether to go on with the session that this tab has kept, if it is of the same user. */
  resumes?: boolean;
};

type ControllerHandlers = {
  change: (state: PageState) => void;
  event: (name: ConnectEvent, metadata: ConnectMetadata) => void;
  /** The connection exists. May be called more than once. */
  result: (result: ConnectResult) => void;
};

/** The first poll of an import comes soon, because most imports are short; the interval doubles up to a second. */
const firstPollMs = 250;
const maxPollMs = 1000;
const maxInstitutions = 50;
export const initialState: PageState = {
  content: { kind: 'loading' },
  submitting: false,
  notListed: false,
  offline: false,
};

const createFailures: Partial<Record<ApiError['code'], FailedReason>> = {
  origin_not_allowed: 'origin_not_allowed',
  wrong_address: 'wrong_address',
  forbidden: 'unknown_connection',
  not_found: 'unknown_application',
};
const endedSessionCodes: ApiError['code'][] = ['unauthorized', 'session_expired', 'not_found'];

/** The values of a sign-in form that are not secret. */
const typedIn = (step: LinkStep, view: LinkSessionView | undefined): Pick<PageState, 'typed'> => {
  if (step.kind !== 'credentials' || view?.state !== 'credentials') return {};
  const shown = view.fields.filter(({ secret }) => !secret);
  const values = Object.fromEntries(shown.map(({ name }) => [name, step.values[name] ?? '']));
  return { typed: { institutionId: view.institution.id, values } };
};

// The methods are fields, so that they can be passed to screens as callbacks.
export class SessionController {
  readonly #api: ApiClient;
  readonly #newSession: NewLinkSession;
  readonly #institutionId: string | undefined;
  readonly #on: ControllerHandlers;
  #state = initialState;
  #abortController = new AbortController();
  #session: LinkSessionClient | undefined;
  #key: LinkSessionKey | undefined;
  readonly #resumes: boolean;
  #linkSessionId: string | undefined;
  /** The view whose events the host was told last. */
  #reportedView: LinkSessionView | undefined;
  /** The queue of steps: each carries the version of the view that the previous one led to. */
  #queue: Promise<void> = Promise.resolve();
  #pollMs = firstPollMs;
  /** Whether to select `institutionId`. Only once, because the user may go back from it. */
  #preselect = true;

  /** Creates the link session at once, or goes on with a kept one. */
  constructor(
    api: ApiClient,
    { institutionId, resumes = false, ...newSession }: ControllerOptions,
    on: ControllerHandlers,
  ) {
    this.#api = api;
    this.#resumes = resumes;
    this.#newSession = newSession;
    this.#institutionId = institutionId;
    this.#on = on;
    void this.#run(this.#create);
  }

  /** Submits a step of the user. Does nothing while another one is being submitted. */
  submitStep = (step: LinkStep): void => {
    if (this.#state.submitting || !this.#session) return;
    const changed = { submitting: true, retryAfterSeconds: undefined, resumed: undefined };
    this.#change({ ...changed, ...typedIn(step, this.#view()) });
    this.#enqueue(step);
  };

  /** Asks before the user leaves. */
  askToLeave = (question: string): void => this.#change({ leaveQuestion: question });

  /** The user does not leave. */
  stay = (): void => this.#change({ leaveQuestion: undefined });

  showNotListed = (): void => {
    this.#emit({ name: 'institution_not_listed', metadata: { reason: 'institution_not_listed' } });
    this.#change({ notListed: true });
  };

  /** Shows the previous screen. */
  goBack = (): void => {
    if (this.#state.notListed) this.#change({ notListed: false });
    else this.submitStep({ kind: 'back' });
  };

  /** Asks whether the user has approved, without a busy state on the screen. Does nothing while a step runs. */
  pollApproval = (): void => {
    if (!this.#state.submitting) this.#enqueue({ kind: 'answer', answer: '' });
  };

  searchInstitutions = (text: string, signal: AbortSignal): Promise<InstitutionProfile[]> => {
    const either = AbortSignal.any([signal, this.#abortController.signal]);
    const query = { search: text, limit: maxInstitutions };
    return this.#retry(() => this.#session!.searchInstitutions(query, { signal: either }), either);
  };

  /** Creates a new link session with the same options. */
  restart = (): void => {
    this.#session?.cancel();
    this.#session = undefined;
    this.#forget();
    this.#linkSessionId = undefined;
    this.#reportedView = undefined;
    this.#abortController.abort();
    this.#abortController = new AbortController();
    this.#queue = Promise.resolve();
    this.#preselect = true;
    this.#change(initialState);
    void this.#run(this.#create);
  };

  /** The host has received the result. The service discards a connection whose result is not acknowledged. */
  acknowledgeResult = (): void => {
    const session = this.#session;
    this.#session = undefined;
    this.#forget();
    if (session) void retryInBackground(session.acknowledge);
  };

  /** Cancels the link session, unless it has finished: then its result stays unacknowledged. */
  dispose = (): void => {
    if (this.#view()?.state !== 'finished') this.#session?.cancel();
    this.#session = undefined;
    this.#forget();
    this.#abortController.abort();
  };

  /** Keeps the link session for the next page in this tab, or cancels it if it cannot be kept. */
  suspend = (): void => {
    if (this.#key && keepSession(this.#newSession, this.#key, true)) {
      this.#session = undefined;
      this.#key = undefined;
    }
    this.dispose();
  };

  #create = async (signal: AbortSignal): Promise<void> => {
    try {
      if (await this.#resume(signal)) return;
      this.#forget();
      this.#session = undefined;
      const created = await this.#retry(
        () => this.#api.createLinkSession(this.#newSession, { signal }),
        signal,
      );
      this.#use(created.session);
      this.#begin(created.view, signal);
    } catch (error) {
      const reason = error instanceof ApiError ? this.#createFailure(error.code) : undefined;
      if (!reason) throw error;
      const { detail } = error as ApiError;
      const developerText = await findDeveloperText(this.#api, this.#newSession, { reason, detail, signal });
      signal.throwIfAborted();
      this.#fail(reason, developerText);
    }
  };

  #use(key: LinkSessionKey): LinkSessionClient {
    this.#key = key;
    this.#session = this.#api.linkSession(key);
    return this.#session;
  }

  #begin(view: LinkSessionView, signal: AbortSignal): void {
    this.#linkSessionId = this.#key?.id;
    this.#emit({ name: 'opened', metadata: {} });
    this.#showView(view, signal);
  }

  /**
   * Goes on with the session that this tab has kept. False if there is none, if it is of another user, whose page has then ended
   * with it, or if it has failed or ended.
   */
  #resume = async (signal: AbortSignal): Promise<boolean> => {
    const kept = findKeptSession();
    if (!kept) return false;
    if (!this.#resumes || !ownsSession(this.#newSession, kept)) {
      if (kept.left) this.#api.linkSession(kept).cancel();
      forgetSession(kept.id);
      return false;
    }
    this.#use(kept);
    const view = await this.#fetchView(signal).catch((error) => {
      if (error instanceof ApiError && endedSessionCodes.includes(error.code)) return undefined;
      throw error;
    });
    if (!view || view.state === 'failed') return false;
    this.#preselect = false;
    this.#change({ resumed: true });
    this.#begin(view, signal);
    return true;
  };

  #forget(): void {
    if (this.#key) forgetSession(this.#key.id);
    this.#key = undefined;
  }

  /** `forbidden` concerns the connection to reconnect, or without one the user's missing or wrong signature. */
  #createFailure(code: ApiError['code']): FailedReason | undefined {
    const { connectionId, origin } = this.#newSession;
    if (code === 'forbidden' && !connectionId) return 'unknown_user';
    if (code === 'origin_not_allowed' && origin === 'native') return 'native_not_allowed';
    return createFailures[code];
  }

  /** Selects the institution of the options. The list stays on the screen if the service does not know it. */
  #preselectInstitution = async (
    view: LinkSessionView,
    institutionId: string,
    signal: AbortSignal,
  ): Promise<void> => {
    this.#preselect = false;
    try {
      const step: LinkStep = { kind: 'selectInstitution', institutionId };
      const selected = await this.#submit(step, view.version, signal);
      this.#emit(eventOfStep(step, view));
      this.#showView(selected, signal);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'invalid_request')) throw error;
      this.#showView(view, signal);
    }
  };

  #poll = async (signal: AbortSignal): Promise<void> => {
    await sleep(this.#pollMs, signal);
    this.#pollMs = Math.min(this.#pollMs * 2, maxPollMs);
    this.#showView(await this.#fetchView(signal), signal);
  };

  #enqueue(step: LinkStep): void {
    const stateOfStep = this.#view()?.state;
    const submit = async (signal: AbortSignal) => {
      const view = this.#view();
      // A step that belongs to an earlier screen is dropped.
      if (view?.state !== stateOfStep) return this.#change({ submitting: false });
      this.#pollMs = firstPollMs;
      this.#emit(eventOfStep(step, view));
      try {
        this.#showView(await this.#submit(step, view!.version, signal), signal);
      } catch (error) {
        if (!(error instanceof RateLimited)) throw error;
        const retryAfterSeconds = Math.max(1, error.retryAfterSeconds);
        this.#change({ submitting: false, offline: false, retryAfterSeconds });
      }
    };
    this.#queue = this.#queue.then(() => this.#run(submit));
  }

  /**
   * Submits a step until its outcome is known. Without a response, the view is fetched first: the step is only
   * repeated if the service did not receive it. Throws RateLimited if the service refused to sign in: the wait may be
   * long, and the user decides.
   */
  async #submit(step: LinkStep, version: number, signal: AbortSignal): Promise<LinkSessionView> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#session!.submitStep({ version, step }, { signal });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'conflict') return this.#fetchView(signal);
        signal.throwIfAborted();
        if (!(error instanceof ServiceUnreachable)) throw error;
        if (error instanceof RateLimited && step.kind === 'credentials') throw error;
        this.#change({ offline: true });
        await backOff(error, attempt, signal);
        const view = await this.#fetchView(signal);
        if (view.busy || view.version !== version) return view;
      }
    }
  }

  #fetchView(signal: AbortSignal): Promise<LinkSessionView> {
    return this.#retry(() => this.#session!.getView({ signal }), signal);
  }

  async #retry<Result>(request: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const result = await retryUntilAnswered(request, signal, () => this.#change({ offline: true }));
    if (this.#state.offline) this.#change({ offline: false });
    return result;
  }

  #showView(view: LinkSessionView, signal: AbortSignal): void {
    signal.throwIfAborted();
    const institutionId = this.#institutionId;
    if (view.state === 'institution' && !view.busy && institutionId && this.#preselect) {
      void this.#run((signal) => this.#preselectInstitution(view, institutionId, signal));
      return;
    }
    const content = { kind: 'view', view } as const;
    // What there was to lose may have ended.
    const ended = (view.state === 'finished' || view.state === 'failed') && { leaveQuestion: undefined };
    this.#change({ content, submitting: view.busy === true, offline: false, ...ended });
    if (!view.busy) {
      for (const event of eventsOfView(view, this.#reportedView)) this.#emit(event);
      this.#reportedView = view;
    }
    // The user may try again in it.
    if (this.#key && view.state === 'failed') forgetSession(this.#key.id);
    else if (this.#key) keepSession(this.#newSession, this.#key);
    if (view.state === 'finished') this.#on.result(view.result);
    if (view.busy || view.state === 'importing') void this.#run(this.#poll);
  }

  /** Runs a task until the session is disposed. An error of the task becomes the failed screen. */
  async #run(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#abortController;
    try {
      await task(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) reportError(error);
      const ended = error instanceof ApiError && endedSessionCodes.includes(error.code);
      this.#fail(ended ? 'session_expired' : 'internal');
    }
  }

  #fail(reason: FailedReason, developerText?: string): void {
    this.#forget();
    this.#emit({ name: 'failed', metadata: { reason } });
    const content = { kind: 'failed', reason, developerText } as const;
    this.#change({ content, submitting: false, offline: false, leaveQuestion: undefined });
  }

  #emit(event: WidgetEvent | undefined): void {
    const linkSessionId = this.#linkSessionId;
    if (event) this.#on.event(event.name, { ...(linkSessionId && { linkSessionId }), ...event.metadata });
  }

  #change(change: Partial<PageState>): void {
    this.#state = { ...this.#state, ...change };
    this.#on.change(this.#state);
  }

  #view(): LinkSessionView | undefined {
    return this.#state.content.kind === 'view' ? this.#state.content.view : undefined;
  }
}
