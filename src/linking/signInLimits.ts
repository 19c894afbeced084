// Limits the sign-ins of link sessions at institutions, so that the widget is no relay for trying the logins of a bank.
import { TooManyAttempts } from '../errors.ts';
import { fingerprint } from '../vault/keys.ts';
import type { LinkingDeps, LinkSessionState, OpenLinkSession } from './linkSession.ts';
import { credentialFields } from './linkSessionView.ts';

type SignIn = { session: OpenLinkSession; values: NonNullable<LinkSessionState['values']> };
type Limit = [key: string, limit: number, windowMinutes: number];

/** Counts a sign-in before the institution is asked. Throws TooManyAttempts. `address` is a key of `toAddressKey`. */
export const consumeSignIn = (deps: LinkingDeps, signIn: SignIn, address: string): void => {
  const { linkSignInsPerAddress, linkSignInsPerApplication } = deps.limits;
  const login = loginLimit(deps, signIn);
  const all: Limit[] = [
    [`link sign-ins from ${address}`, linkSignInsPerAddress, 1],
    [`link sign-ins of ${signIn.session.application.id}`, linkSignInsPerApplication, 1],
    ...(login ? [login] : []),
  ];
  for (const limit of all) {
    const { allowed, resetSeconds } = deps.rateLimiter.consume(...limit);
    if (!allowed) throw new TooManyAttempts(resetSeconds);
  }
};

/** A sign-in that has succeeded tried no foreign login: it does not count towards the limit of its login. */
export const releaseLogin = (deps: LinkingDeps, signIn: SignIn): void => {
  const login = loginLimit(deps, signIn);
  if (login) deps.rateLimiter.release(...login);
};

// A login is the values that are not secret, however they are spelled. Where all are secret, none is known.
const loginLimit = (deps: LinkingDeps, { session, values }: SignIn): Limit | undefined => {
  const { linkSignInsPerLogin, linkSignInsPerLoginMinutes } = deps.limits;
  const open = credentialFields(deps, session).filter(({ secret }) => !secret);
  if (open.length === 0) return undefined;
  const { application, savedState } = session;
  const login = open.map(({ name }) => values[name]!.normalize('NFKC').trim().toLowerCase());
  const parts = [savedState.institution!.id, ...login];
  const key = fingerprint(deps.hashKeys.current(), 'link sign-ins', application.id, parts);
  return [`link sign-ins as ${key.toString('base64url')}`, linkSignInsPerLogin, linkSignInsPerLoginMinutes];
};
