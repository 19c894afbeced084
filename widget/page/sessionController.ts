// One opening of the widget, from the first question to the result: asks the service, shows what it answers, asks
// again when it cannot be reached, and hands the result over. The session's secret lives in here alone and is gone
// with it.
import type { ConnectResult } from '../protocol.ts';
import { retryUntilAnswered, sleep, backOff, retryInBackground } from './retry.ts';
import {
  type Institution,
  type NewLinkSession,
  ApiError,
  type ApiClient,
  type LinkSessionClient,
  type LinkStep,
  ServiceUnreachable,
  type LinkSessionView,
} from './apiClient.ts';

type FailedView = Extract<LinkSessionView, { state: 'failed' }>;

/** Why there is nothing to go on with: what a session says, and what the service says when none could start. */
export type FailedReason =
  | FailedView['reason']
  | 'origin_not_allowed'
  | 'unknown_application'
  | 'unknown_connection'
  | 'unknown_user'
  | 'native_not_allowed';

/** What the page shows. */
export type PageContent =
  | { kind: 'starting' }
  | { kind: 'view'; view: LinkSessionView }
  /** `again`: starting over may help. */
  | { kind: 'failed'; reason: FailedReason; again: boolean };

export type PageState = {
  content: PageContent;
  /** A step that the user took is under way. */
  submitting: boolean;
  /** The service cannot be reached; it is asked again and again. */
  offline: boolean;
};

/** The bank to start with is the page's own affair: it is chosen as the user would. */
export type ControllerOptions = NewLinkSession & { institutionId?: string };

type ControllerHandlers = {
  change: (model: PageState) => void;
  /** The connection exists. May be told more than once. */
  result: (result: ConnectResult) => void;
};

/** The first look at an import comes soon, because most are short; the later ones once a second. */
const firstPollMs = 250;
const maxPollMs = 1000;
const maxInstitutions = 50;
const initialState: PageState = { content: { kind: 'starting' }, submitting: false, offline: false };

const startFailureReasons: Partial<Record<ApiError['code'], FailedReason>> = {
  origin_not_allowed: 'origin_not_allowed',
  forbidden: 'unknown_connection',
  not_found: 'unknown_application',
};
const endedSessionCodes: ApiError['code'][] = ['unauthorized', 'session_expired', 'not_found'];

// Its methods are fields, so that a screen can be given the one that it needs.
export class SessionController {
  readonly #service: ApiClient;
  readonly #request: NewLinkSession;
  readonly #bank: string | undefined;
  readonly #on: ControllerHandlers;
  #model = initialState;
  #life = new AbortController();
  #session: LinkSessionClient | undefined;
  /** Steps go one after the other, because each must carry the version that the one before has led to. */
  #steps: Promise<void> = Promise.resolve();
  #pollMs = firstPollMs;
  /** The bank to start with is still to be chosen: once, because the user may go back from it. */
  #choosesBank = true;

  /** Begins at once. */
  constructor(service: ApiClient, { institutionId, ...request }: ControllerOptions, on: ControllerHandlers) {
    this.#service = service;
    this.#request = request;
    this.#bank = institutionId;
    this.#on = on;
    void this.#live(this.#start);
  }

  /** Takes a step. While another one is under way, nothing happens. */
  submitStep = (step: LinkStep): void => {
    if (this.#model.submitting || !this.#session) return;
    this.#change({ submitting: true });
    this.#enqueue(step);
  };

  /** Asks whether an approval has been given, without disturbing the user. */
  pollApproval = (): void => this.#enqueue({ kind: 'answer', answer: '' });

  searchInstitutions = (text: string, signal: AbortSignal): Promise<Institution[]> => {
    const both = AbortSignal.any([signal, this.#life.signal]);
    const query = { search: text, limit: maxInstitutions };
    return this.#insist(() => this.#session!.searchInstitutions(query, { signal: both }), both);
  };

  /** A new session, with what this one began with. */
  restart = (): void => {
    this.#session?.cancel();
    this.#session = undefined;
    this.#life.abort();
    this.#life = new AbortController();
    this.#steps = Promise.resolve();
    this.#choosesBank = true;
    this.#change(initialState);
    void this.#live(this.#start);
  };

  /** The host has handed the result to its application. What is not acknowledged would be undone. */
  acknowledgeResult = (): void => {
    const session = this.#session;
    this.#session = undefined;
    if (session) void retryInBackground(session.acknowledge);
  };

  /** The widget goes away. A result that was not received stays unacknowledged. */
  dispose = (): void => {
    if (this.#view()?.state !== 'finished') this.#session?.cancel();
    this.#session = undefined;
    this.#life.abort();
  };

  #start = async (signal: AbortSignal): Promise<void> => {
    try {
      const started = await this.#insist(
        () => this.#service.createLinkSession(this.#request, { signal }),
        signal,
      );
      this.#session = this.#service.linkSession(started.session);
      this.#show(started.view, signal);
    } catch (error) {
      const reason = error instanceof ApiError && this.#startRefusal(error.code);
      if (!reason) throw error;
      this.#fail(reason, false);
    }
  };

  /** What is forbidden is the connection to restore; where there is none, the user whom nobody vouches for. */
  #startRefusal(code: ApiError['code']): FailedReason | undefined {
    const { connectionId, origin } = this.#request;
    if (code === 'forbidden' && !connectionId) return 'unknown_user';
    if (code === 'origin_not_allowed' && origin === 'native') return 'native_not_allowed';
    return startFailureReasons[code];
  }

  /** A bank that is not among ours leaves the user at the list. */
  #selectInstitution = async (
    view: LinkSessionView,
    institutionId: string,
    signal: AbortSignal,
  ): Promise<void> => {
    this.#choosesBank = false;
    try {
      this.#show(
        await this.#send({ kind: 'selectInstitution', institutionId }, view.version, signal),
        signal,
      );
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'invalid_request')) throw error;
      this.#show(view, signal);
    }
  };

  #look = async (signal: AbortSignal): Promise<void> => {
    await sleep(this.#pollMs, signal);
    this.#pollMs = Math.min(this.#pollMs * 2, maxPollMs);
    this.#show(await this.#ask(signal), signal);
  };

  #enqueue(step: LinkStep): void {
    const chosenOn = this.#view()?.state;
    const take = async (signal: AbortSignal) => {
      const view = this.#view();
      // The screen that the user chose on has gone meanwhile: the choice went with it.
      if (view?.state !== chosenOn) return this.#change({ submitting: false });
      this.#pollMs = firstPollMs;
      this.#show(await this.#send(step, view!.version, signal), signal);
    };
    this.#steps = this.#steps.then(() => this.#live(take));
  }

  /** Sends a step until it is known what became of it. One that may have arrived is never sent blindly again. */
  async #send(step: LinkStep, version: number, signal: AbortSignal): Promise<LinkSessionView> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#session!.submitStep({ version, step }, { signal });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'conflict') return this.#ask(signal);
        signal.throwIfAborted();
        if (!(error instanceof ServiceUnreachable)) throw error;
        this.#change({ offline: true });
        await backOff(error, attempt, signal);
        const view = await this.#ask(signal);
        if (view.busy || view.version !== version) return view;
      }
    }
  }

  #ask(signal: AbortSignal): Promise<LinkSessionView> {
    return this.#insist(() => this.#session!.getView({ signal }), signal);
  }

  async #insist<Answer>(question: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    const answer = await retryUntilAnswered(question, signal, () => this.#change({ offline: true }));
    if (this.#model.offline) this.#change({ offline: false });
    return answer;
  }

  #show(view: LinkSessionView, signal: AbortSignal): void {
    signal.throwIfAborted();
    const bank = this.#bank;
    if (view.state === 'institution' && !view.busy && bank && this.#choosesBank) {
      void this.#live((life) => this.#selectInstitution(view, bank, life));
      return;
    }
    this.#change({ content: { kind: 'view', view }, submitting: view.busy === true, offline: false });
    if (view.state === 'finished') this.#on.result(view.result);
    if (view.busy || view.state === 'importing') void this.#live(this.#look);
  }

  /** Runs a part of the conversation; what nothing else caught ends it in words. */
  async #live(part: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#life;
    try {
      await part(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) reportError(error);
      const ended = error instanceof ApiError && endedSessionCodes.includes(error.code);
      this.#fail(ended ? 'session_expired' : 'internal', true);
    }
  }

  #fail(reason: FailedReason, again: boolean): void {
    this.#change({ content: { kind: 'failed', reason, again }, submitting: false, offline: false });
  }

  #change(part: Partial<PageState>): void {
    this.#model = { ...this.#model, ...part };
    this.#on.change(this.#model);
  }

  #view(): LinkSessionView | undefined {
    return this.#model.content.kind === 'view' ? this.#model.content.view : undefined;
  }
}
