// One opening of the widget, from the first question to the result: asks the service, shows what it answers, asks
// again when it cannot be reached, and hands the result over. The session's secret lives in this closure alone and
// is gone with it.
import type { ConnectResult } from '../messages.ts';
import type { NewSession, Service, SessionService, Step, View } from './service.ts';
import { Refused, Unreachable } from './service.ts';

type FailedView = Extract<View, { state: 'failed' }>;

/** Why there is nothing to go on with: what a session says, and what the service says when none could start. */
export type FailedReason =
  | FailedView['reason']
  | 'origin_not_allowed'
  | 'unknown_application'
  | 'unknown_connection';

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

export type Conversation = {
  /** Takes a step. While another one is under way, nothing happens. */
  take(step: Step): void;
  /** Asks whether an approval has been given, without disturbing the user. */
  poll(): void;
  search(text: string, signal: AbortSignal): Promise<Awaited<ReturnType<SessionService['institutions']>>>;
  /** A new session, with what this one began with. */
  startAgain(): void;
  /** The host has handed the result to its application. */
  received(): void;
  /** The widget goes away. */
  end(): void;
};

const pollMs = 1000;
const retryFirstMs = 1000;
const retryMostMs = 8000;
/** With `retryMostMs` between them, as long as the service keeps a result. */
const acknowledgeAttempts = 75;
const banksShown = 50;

const pause = (milliseconds: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener('abort', stop);
  });

/** Goes on after the widget has been closed: an unacknowledged connection would be undone. */
const acknowledge = async (session: SessionService): Promise<void> => {
  for (let attempt = 0; attempt < acknowledgeAttempts; attempt++) {
    try {
      return await session.acknowledge();
    } catch (error) {
      // Refused means that there is nothing left to acknowledge.
      if (!(error instanceof Unreachable)) return;
      await pause(Math.max(retryMostMs, error.waitSeconds * 1000));
    }
  }
};

const startRefusals: Partial<Record<Refused['code'], FailedReason>> = {
  origin_not_allowed: 'origin_not_allowed',
  forbidden: 'unknown_connection',
  not_found: 'unknown_application',
};
const endedSession: Refused['code'][] = ['unauthorized', 'session_expired', 'not_found'];

/** Begins at once. `onChange` gets each new model, `onResult` the result, which may come more than once. */
export const converse = (
  service: Service,
  request: NewSession,
  on: { change: (model: Model) => void; result: (result: ConnectResult) => void },
): Conversation => {
  let model: Model = { shown: { kind: 'starting' }, working: false, lost: false };
  let life = new AbortController();
  let session: SessionService | undefined;
  /** Steps go one after the other, because each must carry the version that the one before has led to. */
  let steps: Promise<void> = Promise.resolve();

  const change = (part: Partial<Model>) => {
    model = { ...model, ...part };
    on.change(model);
  };
  const shownView = () => (model.shown.kind === 'view' ? model.shown.view : undefined);

  /** Asks until there is an answer, and says so when there is none. */
  const insist = async <Answer>(question: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> => {
    for (let wait = retryFirstMs; ; wait = Math.min(wait * 2, retryMostMs)) {
      try {
        const answer = await question();
        if (model.lost) change({ lost: false });
        return answer;
      } catch (error) {
        if (!(error instanceof Unreachable)) throw error;
        signal.throwIfAborted();
        change({ lost: true });
        await pause(Math.max(wait, error.waitSeconds * 1000), signal);
      }
    }
  };

  const fail = (reason: FailedReason, again: boolean) =>
    change({ shown: { kind: 'failed', reason, again }, working: false, lost: false });
  /** Runs a part of the conversation; what nothing else caught ends it in words. */
  const live = async (part: (signal: AbortSignal) => Promise<void>): Promise<void> => {
    const { signal } = life;
    try {
      await part(signal);
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Refused)) reportError(error);
      if (error instanceof Refused && endedSession.includes(error.code)) fail('session_expired', true);
      else fail('internal', true);
    }
  };

  const show = (view: View, signal: AbortSignal): void => {
    signal.throwIfAborted();
    change({ shown: { kind: 'view', view }, working: view.busy === true, lost: false });
    if (view.state === 'finished') on.result(view.result);
    if (view.busy || view.state === 'importing') void live(look);
  };
  const look = async (signal: AbortSignal): Promise<void> => {
    await pause(pollMs, signal);
    const view = await insist(() => session!.view({ signal }), signal);
    show(view, signal);
  };

  /** Sends a step until it is known what became of it. One that may have arrived is never sent blindly again. */
  const send = async (step: Step, version: number, signal: AbortSignal): Promise<View> => {
    for (;;) {
      try {
        return await session!.advance({ version, step }, { signal });
      } catch (error) {
        const unheard = error instanceof Unreachable;
        if (!unheard && !(error instanceof Refused && error.code === 'conflict')) throw error;
        if (unheard) {
          signal.throwIfAborted();
          change({ lost: true });
          await pause(Math.max(retryFirstMs, error.waitSeconds * 1000), signal);
        }
        const view = await insist(() => session!.view({ signal }), signal);
        if (!unheard || view.busy || view.version !== version) return view;
      }
    }
  };
  const enqueue = (step: Step) => {
    const chosenOn = shownView()?.state;
    steps = steps.then(() =>
      live(async (signal) => {
        const view = shownView();
        // The screen that the user chose on has gone meanwhile: the choice went with it.
        if (!view || view.state !== chosenOn) return change({ working: false });
        show(await send(step, view.version, signal), signal);
      }),
    );
  };

  const start = () =>
    live(async (signal) => {
      try {
        const started = await insist(() => service.start(request, { signal }), signal);
        session = service.session(started.session);
        show(started.view, signal);
      } catch (error) {
        const reason = error instanceof Refused && startRefusals[error.code];
        if (!reason) throw error;
        fail(reason, false);
      }
    });

  void start();
  return {
    take: (step) => {
      if (model.working || !session) return;
      change({ working: true });
      enqueue(step);
    },
    poll: () => enqueue({ kind: 'answer', answer: '' }),
    search: async (search, signal) => {
      const both = AbortSignal.any([signal, life.signal]);
      return insist(() => session!.institutions({ search, limit: banksShown }, { signal: both }), both);
    },
    startAgain: () => {
      session?.abandon();
      life.abort();
      life = new AbortController();
      session = undefined;
      steps = Promise.resolve();
      change({ shown: { kind: 'starting' }, working: false, lost: false });
      void start();
    },
    received: () => {
      if (session) void acknowledge(session);
      session = undefined;
    },
    end: () => {
      if (session && shownView()?.state !== 'finished') session.abandon();
      session = undefined;
      life.abort();
    },
  };
};
