// Performs a sandbox user's steps in the widget for tests, which have no browser: through the private API of the widget's page
// or, for the command `sandbox link`, directly in the service.
import type { components } from '../generated/widget.ts';

export type LinkView = components['schemas']['LinkSessionView'];
export type LinkStep = components['schemas']['LinkStep'];
/** The result of `onSuccess`. */
export type LinkResult = components['schemas']['LinkResult'];

export type SandboxUser = {
  /** The username at a sandbox institution: a built-in one, such as `good` or `otp`, or a loaded login. */
  user: string;
  /** Default `password`, which every built-in user accepts. */
  password?: string;
  /** Default `sandbox-bank`. */
  institutionId?: string;
};

/** A link session without its page. Every function resolves to the new view. */
export type LinkSession = {
  view: LinkView;
  read(): Promise<LinkView>;
  submit(version: number, step: LinkStep): Promise<LinkView>;
  acknowledge(): Promise<unknown>;
  cancel(): Promise<unknown>;
};

/** Linking failed. `reason` is the widget's reason, for example `wrong_credentials`, `locked` or `no_accounts`. */
export class SandboxLinkError extends Error {
  readonly reason: string;

  constructor(reason: string) {
    super(`The sandbox user was not linked: ${reason}.`);
    this.name = 'SandboxLinkError';
    this.reason = reason;
  }
}

/** The answers that sandbox institutions accept. Any option of a choice is correct, so the first is used; approvals need none. */
const answers = { code: '123456', question: 'blue', image: '7G4K' } as const;

const pollMs = 100;

/**
 * Performs all of a user's steps and shares all accounts. Throws SandboxLinkError, TypeError for an application that is not a
 * Sandbox application, the signal's reason, and the session's errors; an error cancels the session.
 */
export const linkSandboxUser = async (
  session: LinkSession,
  user: SandboxUser,
  signal?: AbortSignal,
): Promise<LinkResult> => {
  try {
    let { view } = session;
    if (view.application.environment !== 'sandbox') {
      throw new TypeError('applicationId must belong to a Sandbox application.');
    }
    while (view.state !== 'finished') {
      const step = view.busy ? undefined : nextStep(view, user);
      if (!step) await sleep(pollMs);
      else if (view.state === 'challenge' && view.challenge.kind === 'approval') {
        await sleep(view.challenge.pollSeconds * 1000);
      }
      signal?.throwIfAborted();
      view = step ? await session.submit(view.version, step) : await session.read();
    }
    await session.acknowledge();
    return view.result;
  } catch (error) {
    await session.cancel().catch(() => {});
    throw error;
  }
};

/** The user's next step; undefined while there is none. Throws SandboxLinkError. */
const nextStep = (
  view: LinkView,
  { user: username, password = 'password', institutionId = 'sandbox-bank' }: SandboxUser,
): LinkStep | undefined => {
  if ('error' in view && view.error) throw new SandboxLinkError(view.error.reason);
  switch (view.state) {
    case 'consent':
      return { kind: 'consent' };
    case 'institution':
      return { kind: 'selectInstitution', institutionId };
    case 'credentials':
      return { kind: 'credentials', values: { username, password } };
    case 'challenge': {
      const { challenge } = view;
      if (challenge.kind === 'approval') return { kind: 'answer', answer: '' };
      if (challenge.kind === 'redirect') throw new SandboxLinkError('the bank’s own page needs a browser');
      const answer = challenge.kind === 'choice' ? challenge.options[0]!.id : answers[challenge.kind];
      return { kind: 'answer', answer };
    }
    case 'accounts':
      return { kind: 'selectAccounts', accountIds: view.accounts.map(({ id }) => id) };
    case 'failed':
      throw new SandboxLinkError(view.reason);
    default:
      return undefined;
  }
};

const sleep = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, milliseconds));
