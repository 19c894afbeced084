// Runs one link session, from its creation to the result: sends the steps that the model decides, polls, and retries requests
// while the service is unreachable. Only this object and keptSession.ts have the session's secret.
import type { ConnectEvent, ConnectMetadata, ConnectResult } from '../types.ts';
import {
  type ApiClient,
  ApiError,
  type InstitutionProfile,
  type LinkSessionClient,
  type LinkSessionKey,
  type LinkSessionView,
  type LinkStep,
  type NewLinkSession,
  RateLimited,
  retryDelayMs,
  retryInBackground,
  retryUntilAnswered,
  ServiceUnreachable,
  sleep,
} from './apiClient.ts';
import { findDeveloperText } from './developerTexts.ts';
import type { FailedReason } from './failedReason.ts';
import { findKeptSession, forgetSession, keepSession, ownsSession } from './keptSession.ts';
import { type Effect, initialModel, type Model, type PageEvent, reduce, viewOf } from './model.ts';

export type TransportOptions = NewLinkSession & {
  /** Not sent when the session is created: the page selects this institution on the user's behalf. */
  institutionId?: string;
  /** True to continue the session stored in this tab, if it belongs to the same user. */
  resumes?: boolean;
};

type TransportHandlers = {
  change: (model: Model) => void;
  event: (name: ConnectEvent, metadata: ConnectMetadata) => void;
  /** The connection exists. May be called more than once. */
  result: (result: ConnectResult) => void;
};

/** The first poll of an import is early, because most imports are short. The interval doubles up to a second. */
const firstPollMs = 250;
const maxPollMs = 1000;
const maxInstitutions = 50;

const createFailures: Partial<Record<ApiError['code'], FailedReason>> = {
  origin_not_allowed: 'origin_not_allowed',
  wrong_address: 'wrong_address',
  forbidden: 'unknown_connection',
  not_found: 'unknown_application',
};
const endedSessionCodes: ApiError['code'][] = ['unauthorized', 'session_expired', 'not_found'];
const isEnded = (error: unknown): boolean =>
  error instanceof ApiError && endedSessionCodes.includes(error.code);

// Methods are fields, so that they can be passed to screens as callbacks.
export class Transport {
  readonly #api: ApiClient;
  readonly #options: TransportOptions;
  readonly #newSession: NewLinkSession;
  readonly #on: TransportHandlers;
  readonly #wait: typeof sleep;
  #model = initialModel;
  #abortController = new AbortController();
  #session: LinkSessionClient | undefined;
  #key: LinkSessionKey | undefined;
  /** The host knows this id once the session has begun. */
  #linkSessionId: string | undefined;
  #pollMs = firstPollMs;

  /** Creates the link session, or continues a stored one. `wait` delays retries and polls. */
  constructor(api: ApiClient, options: TransportOptions, on: TransportHandlers, wait = sleep) {
    const { institutionId, resumes, ...newSession } = options;
    this.#api = api;
    this.#options = options;
    this.#newSession = newSession;
    this.#on = on;
    this.#wait = wait;
    this.#begin();
  }

  dispatch = (event: PageEvent): void => {
    const [model, ...effects] = reduce(this.#model, event);
    this.#model = model;
    this.#on.change(model);
    for (const effect of effects) this.#perform(effect);
  };

  submitStep = (step: LinkStep): void => this.dispatch({ kind: 'step', step });

  searchInstitutions = (text: string, signal: AbortSignal): Promise<InstitutionProfile[]> => {
    const either = AbortSignal.any([signal, this.#abortController.signal]);
    const query = { search: text, limit: maxInstitutions };
    return this.#retry(() => this.#session!.searchInstitutions(query, { signal: either }), either);
  };

  /** Creates a new link session with the same options. */
  restart = (): void => {
    this.#session?.cancel();
    this.#end();
    this.#abortController = new AbortController();
    this.#begin();
    this.#on.change(this.#model);
  };

  /** The host received the result. The service discards a connection whose result is not acknowledged. */
  acknowledgeResult = (): void => {
    const session = this.#session;
    this.#session = undefined;
    this.#forget();
    if (session) void retryInBackground(session.acknowledge, this.#wait);
  };

  /** Cancels the link session unless it has finished, in which case its result stays unacknowledged. */
  dispose = (): void => {
    if (viewOf(this.#model)?.state !== 'finished') this.#session?.cancel();
    this.#end();
  };

  /** Keeps the link session for the next page in this tab, or cancels it if it cannot be stored. */
  suspend = (): void => {
    if (this.#key && keepSession(this.#newSession, this.#key, true)) {
      this.#session = undefined;
      this.#key = undefined;
    }
    this.dispose();
  };

  #begin(): void {
    this.#linkSessionId = undefined;
    this.#model = { ...initialModel, preselect: this.#options.institutionId };
    void this.#run(this.#create);
  }

  #end(): void {
    this.#session = undefined;
    this.#forget();
    this.#abortController.abort();
  }

  #perform(effect: Effect): void {
    const linkSessionId = this.#linkSessionId;
    if (effect.do === 'send') {
      this.#pollMs = firstPollMs;
      void this.#run((signal) => this.#send(effect, signal));
    } else if (effect.do === 'poll') void this.#run(this.#poll);
    else if (effect.do === 'tell')
      this.#on.event(effect.event.name, {
        ...(linkSessionId && { linkSessionId }),
        ...effect.event.metadata,
      });
    else if (effect.do === 'deliver') this.#on.result(effect.result);
    else if (this.#key && effect.do === 'keep') keepSession(this.#newSession, this.#key);
    // The key stays, because the user may try again in this session.
    else if (this.#key) forgetSession(this.#key.id);
  }

  #create = async (signal: AbortSignal): Promise<void> => {
    try {
      if (await this.#resume(signal)) return;
      this.#forget();
      this.#session = undefined;
      const create = () => this.#api.createLinkSession(this.#newSession, { signal });
      const { session, view } = await this.#retry(create, signal);
      this.#use(session);
      this.#linkSessionId = session.id;
      this.dispatch({ kind: 'opened', view });
    } catch (error) {
      const reason = error instanceof ApiError ? this.#createFailure(error.code) : undefined;
      if (!reason) throw error;
      const { detail } = error as ApiError;
      const developerText = await findDeveloperText(this.#api, this.#newSession, { reason, detail, signal });
      signal.throwIfAborted();
      this.dispatch({ kind: 'stopped', reason, developerText });
    }
  };

  #use(key: LinkSessionKey): void {
    this.#key = key;
    this.#session = this.#api.linkSession(key);
  }

  /**
   * Continues the session stored in this tab. False if there is none, if it failed or ended, or if it belongs to another user:
   * then it is forgotten, and cancelled if its page was unloaded.
   */
  #resume = async (signal: AbortSignal): Promise<boolean> => {
    const kept = findKeptSession();
    if (!kept) return false;
    if (!this.#options.resumes || !ownsSession(this.#newSession, kept)) {
      if (kept.left) this.#api.linkSession(kept).cancel();
      forgetSession(kept.id);
      return false;
    }
    this.#use(kept);
    const view = await this.#fetchView(signal).catch((error) => {
      if (isEnded(error)) return undefined;
      throw error;
    });
    if (!view || view.state === 'failed') return false;
    this.#linkSessionId = kept.id;
    this.dispatch({ kind: 'opened', view, resumed: true });
    return true;
  };

  #forget(): void {
    if (this.#key) forgetSession(this.#key.id);
    this.#key = undefined;
  }

  /** `forbidden` is about the connection to reconnect or, without one, about the user's missing or wrong signature. */
  #createFailure(code: ApiError['code']): FailedReason | undefined {
    const { connectionId, origin } = this.#newSession;
    if (code === 'forbidden' && !connectionId) return 'unknown_user';
    if (code === 'origin_not_allowed' && origin === 'native') return 'native_not_allowed';
    return createFailures[code];
  }

  #poll = async (signal: AbortSignal): Promise<void> => {
    await this.#wait(this.#pollMs, signal);
    this.#pollMs = Math.min(this.#pollMs * 2, maxPollMs);
    this.#show(await this.#fetchView(signal), signal);
  };

  async #send({ step, version }: Effect & { do: 'send' }, signal: AbortSignal): Promise<void> {
    const isPreselecting = this.#model.list !== undefined;
    try {
      this.#show(await this.#submit(step, version, signal), signal);
    } catch (error) {
      if (error instanceof RateLimited)
        return this.dispatch({ kind: 'limited', retryAfterSeconds: error.retryAfterSeconds });
      if (!isPreselecting || !(error instanceof ApiError && error.code === 'invalid_request')) throw error;
      this.dispatch({ kind: 'not_selected' });
    }
  }

  #show(view: LinkSessionView, signal: AbortSignal): void {
    signal.throwIfAborted();
    this.dispatch({ kind: 'viewed', view });
  }

  /**
   * Submits a step until its outcome is known. Without a response, the view is fetched first: the step is sent again only if the
   * service did not receive it. Throws RateLimited if the service refused to sign in, because the wait may be long and the user
   * decides.
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
        this.dispatch({ kind: 'connectivity', offline: true });
        await this.#wait(retryDelayMs(error, attempt), signal);
        const view = await this.#fetchView(signal);
        if (view.busy || view.version !== version) return view;
      }
    }
  }

  #fetchView(signal: AbortSignal): Promise<LinkSessionView> {
    return this.#retry(() => this.#session!.getView({ signal }), signal);
  }

  async #retry<Result>(request: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
    const offline = () => this.dispatch({ kind: 'connectivity', offline: true });
    const result = await retryUntilAnswered(request, signal, offline, this.#wait);
    if (this.#model.offline) this.dispatch({ kind: 'connectivity', offline: false });
    return result;
  }

  /** Runs a task until the session is disposed. An error in the task shows the failed screen. */
  async #run(task: (signal: AbortSignal) => Promise<void>): Promise<void> {
    const { signal } = this.#abortController;
    try {
      await task(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ApiError)) reportError(error);
      this.dispatch({ kind: 'stopped', reason: isEnded(error) ? 'session_expired' : 'internal' });
    }
  }
}
