// One opening of the widget, from the first question to the result: asks the service, shows what it answers, asks
// again when it cannot be reached, and hands the result over. The session's secret lives in here alone and is gone
// with it.
import type { ConnectResult } from '../messages.ts';
import { insist, pause, pauseAfter, runErrand } from './patience.ts';
import {
  type Institution,
  type NewSession,
  Refused,
  type Service,
  type SessionService,
  type Step,
  Unreachable,
  type View,
} from './service.ts';

type FailedView = Extract<View, { state: 'failed' }>;

/** Why there is nothing to go on with: what a session says, and what the service says when none could start. */
export type FailedReason =
  | FailedView['reason']
  | 'origin_not_allowed'
  | 'unknown_application'
  | 'unknown_connection'
  | 'unknown_user'
  | 'native_not_allowed';

/** What the page shows. */
export type Shown =
  | { kind: 'starting' }
  | { kind: 'view'; view: View }
  /** `again`: starting over may help. */
  | { kind: 'failed'; reason: FailedReason; again: boolean };

export type Model = {
  shown: Shown;
  /** A step that the user took is under way. */
  working: boolean;
  /** The service cannot be reached; it is asked again and again. */
  lost: boolean;
};

/** The bank to start with is the page's own affair: it is chosen as the user would. */
export type Wanted = NewSession & { institutionId?: string };

type Events = {
  change: (model: Model) => void;
  /** The connection exists. May be told more than once. */
  result: (result: ConnectResult) => void;
};

/** The first look at an import comes soon, because most are short; the later ones once a second. */
const pollFirstMs = 250;
const pollMostMs = 1000;
const banksShown = 50;
const first: Model = { shown: { kind: 'starting' }, working: false, lost: false };

const startRefusals: Partial<Record<Refused['code'], FailedReason>> = {
  origin_not_allowed: 'origin_not_allowed',
  forbidden: 'unknown_connection',
  not_found: 'unknown_application',
};
const endedSession: Refused['code'][] = ['unauthorized', 'session_expired', 'not_found'];

// Its methods are fields, so that a screen can be given the one that it needs.
export class Conversation {
  readonly #service: Service;
  readonly #request: NewSession;
  readonly #bank: string | undefined;
  readonly #on: Events;
  #model = first;
  #life = new AbortController();
  #session: SessionService | undefined;
  /** Steps go one after the other, because each must carry the version that the one before has led to. */
  #steps: Promise<void> = Promise.resolve();
  #pollMs = pollFirstMs;
  /** The bank to start with is still to be chosen: once, because the user may go back from it. */
  #choosesBank = true;

  /** Begins at once. */
  constructor(service: Service, { institutionId, ...request }: Wanted, on: Events) {
    this.#service = service;
    this.#request = request;
    this.#bank = institutionId;
    this.#on = on;
    void this.#live(this.#start);
  }

  /** Takes a step. While another one is under way, nothing happens. */
  take = (step: Step): void => {
    if (this.#model.working || !this.#session) return;
    this.#change({ working: true });
    this.#enqueue(step);
  };

  /** Asks whether an approval has been given, without disturbing the user. */
  poll = (): void => this.#enqueue({ kind: 'answer', answer: '' });

  search = (text: string, signal: AbortSignal): Promise<Institution[]> => {
    const both = AbortSignal.any([signal, this.#life.signal]);
    const query = { search: text, limit: banksShown };
    return this.#insist(() => this.#session!.institutions(query, { signal: both }), both);
  };

  /** A new session, with what this one began with. */
  startAgain = (): void => {
    this.#session?.abandon();
    this.#session = undefined;
    this.#life.abort();
    this.#life = new AbortController();
    this.#steps = Promise.resolve();
    this.#choosesBank = true;
    this.#change(first);
    void this.#live(this.#start);
  };

  /** The host has handed the result to its application. What is not acknowledged would be undone. */
  received = (): void => {
    const session = this.#session;
    this.#session = undefined;
    if (session) void runErrand(session.acknowledge);
  };

  /** The widget goes away. A result that was not received stays unacknowledged. */
  end = (): void => {
    if (this.#view()?.state !== 'finished') this.#session?.abandon();
    this.#session = undefined;
    this.#life.abort();
  };

  #start = async (signal: AbortSignal): Promise<void> => {
    try {
      const started = await this.#insist(() => this.#service.start(this.#request, { signal }), signal);
      this.#session = this.#service.session(started.session);
      this.#show(started.view, signal);
    } catch (error) {
      const reason = error instanceof Refused && this.#startRefusal(error.code);
      if (!reason) throw error;
      this.#fail(reason, false);
    }
  };

  /** What is forbidden is the connection to restore; where there is none, the user whom nobody vouches for. */
  #startRefusal(code: Refused['code']): FailedReason | undefined {
    const { connectionId, origin } = this.#request;
    if (code === 'forbidden' && !connectionId) return 'unknown_user';
    if (code === 'origin_not_allowed' && origin === 'native') return 'native_not_allowed';
    return startRefusals[code];
  }

  /** A bank that is not among ours leaves the user at the list. */
  #chooseBank = async (view: View, institutionId: string, signal: AbortSignal): Promise<void> => {
    this.#choosesBank = false;
    try {
      this.#show(await this.#send({ kind: 'chooseBank', institutionId }, view.version, signal), signal);
    } catch (error) {
      if (!(error instanceof Refused && error.code === 'invalid_request')) throw error;
      this.#show(view, signal);
    }
  };

  #look = async (signal: AbortSignal): Promise<void> => {
    await pause(this.#pollMs, signal);
    this.#pollMs = Math.min(this.#pollMs * 2, pollMostMs);
    this.#show(await this.#ask(signal), signal);
  };

  #enqueue(step: Step): void {
    const chosenOn = this.#view()?.state;
    const take = async (signal: AbortSignal) => {
      const view = this.#view();
      // The screen that the user chose on has gone meanwhile: the choice went with it.
      if (view?.state !== chosenOn) return this.#change({ working: false });
      this.#pollMs = pollFirstMs;
      this.#show(await this.#send(step, view!.version, signal), signal);
    };
    this.#steps = this.#steps.then(() => this.#live(take));
  }

  /** Sends a step until it is known what became of it. One that may have arrived is never sent blindly again. */
  async #send(step: Step, version: number, signal: AbortSignal): Promise<View> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#session!.advance({ version, step }, { signal });
      } catch (error) {
        if (error instanceof Refused && error.code === 'conflict') return this.#ask(signal);
        signal.throwIfAborted();
        if (!(error instanceof Unreachable)) throw error;
        this.#change({ lost: true });
        await pauseAfter(error, attempt, signal);
        const view = await this.#ask(signal);
        if (view.busy || view.version !== version) return view;
      }
    }
  }

  #ask(signal: AbortSignal): Promise<View> {
    return this.#insist(() => this.#session!.view({ signal }), signal);
  }

  async #insist<Answer>(question: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
    const answer = await insist(question, signal, () => this.#change({ lost: true }));
    if (this.#model.lost) this.#change({ lost: false });
    return answer;
  }

  #show(view: View, signal: AbortSignal): void {
    signal.throwIfAborted();
    const bank = this.#bank;
    if (view.state === 'bank' && !view.busy && bank && this.#choosesBank) {
      void this.#live((life) => this.#chooseBank(view, bank, life));
      return;
    }
    this.#change({ shown: { kind: 'view', view }, working: view.busy === true, lost: false });
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
      if (!(error instanceof Refused)) reportError(error);
      const ended = error instanceof Refused && endedSession.includes(error.code);
      this.#fail(ended ? 'session_expired' : 'internal', true);
    }
  }

  #fail(reason: FailedReason, again: boolean): void {
    this.#change({ shown: { kind: 'failed', reason, again }, working: false, lost: false });
  }

  #change(part: Partial<Model>): void {
    this.#model = { ...this.#model, ...part };
    this.#on.change(this.#model);
  }

  #view(): View | undefined {
    return this.#model.shown.kind === 'view' ? this.#model.shown.view : undefined;
  }
}
