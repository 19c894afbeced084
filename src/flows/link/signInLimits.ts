// Limits the sign-ins of link sessions at institutions, so that nobody can use the widget to try bank logins.
import { TooManyAttempts } from '../../platform/values/errors.ts';
import { fingerprint } from '../../platform/vault/keys.ts';
import { type LinkingDeps, type OpenLinkSession, selectedIn } from './linkSession.ts';
import { requireInstitution } from './step.ts';

type SignIn = { session: OpenLinkSession; values: Record<string, string> };
type Limit = [key: string, limit: number, windowMinutes: number];

/** Counts a sign-in before the institution is called. Throws TooManyAttempts. `ipKey` comes from `toIpKey`. */
export const consumeSignIn = (deps: LinkingDeps, signIn: SignIn, ipKey: string): void => {
  const login = loginLimit(deps, signIn);
  consume(deps, [`link sign-ins from ${ipKey}`, deps.limits.linkSignInsPerAddress, 1]);
  consumeOfApplication(deps, signIn, ipKey);
  if (login) consume(deps, login);
};

const consume = ({ rateLimiter }: LinkingDeps, limit: Limit): void => {
  const { allowed, resetSeconds } = rateLimiter.consume(...limit);
  if (!allowed) throw new TooManyAttempts(resetSeconds);
};

// Once an application's sign-ins are used up, only addresses with unsuccessful sign-ins are refused. Otherwise, a few addresses
// trying logins would lock out everybody else.
const consumeOfApplication = (deps: LinkingDeps, signIn: SignIn, ipKey: string): void => {
  const { rateLimiter, metrics, limits } = deps;
  const { id: applicationId } = signIn.session.application;
  const unsuccessful = unsuccessfulLimit(deps, signIn, ipKey);
  const isRefused = rateLimiter.consume(...unsuccessful).remaining < limits.linkSignInsPerAddress - 1;
  const key = `link sign-ins of ${applicationId}`;
  const { allowed, resetSeconds } = rateLimiter.consume(key, limits.linkSignInsPerApplication);
  if (allowed) return;
  const outcome = isRefused ? 'refused' : 'succeeded';
  metrics.observe({ applicationId, kind: 'sign_in_over_limit', subject: '', outcome, milliseconds: 0 });
  if (isRefused) throw new TooManyAttempts(resetSeconds);
};

/** A successful sign-in did not try somebody else's login, so it does not count against its login or address. */
export const releaseSignIn = (
  deps: LinkingDeps,
  { signInAt, ...signIn }: SignIn & { signInAt: string },
  ipKey: string,
): void => {
  const login = loginLimit(deps, signIn);
  deps.rateLimiter.release(new Date(signInAt), ...unsuccessfulLimit(deps, signIn, ipKey));
  if (login) deps.rateLimiter.release(new Date(signInAt), ...login);
};

/** Counts an address's unsuccessful sign-ins at an application; the address's own limit bounds them. */
const unsuccessfulLimit = ({ limits }: LinkingDeps, { session }: SignIn, ipKey: string): Limit => {
  const key = `unsuccessful link sign-ins of ${session.application.id} from ${ipKey}`;
  return [key, limits.linkSignInsPerAddress, 1];
};

// Identifies a login by its required, non-secret values, normalized so that spelling and omissions do not make it another
// login. Undefined if all values are secret.
const loginLimit = (deps: LinkingDeps, { session, values }: SignIn): Limit | undefined => {
  const { linkSignInsPerLogin, linkSignInsPerLoginMinutes } = deps.limits;
  const { fields } = requireInstitution({ deps, session }).institution;
  const open = fields.filter(({ secret, optional }) => !secret && !optional);
  if (open.length === 0) return undefined;
  const login = open.map(({ name }) => values[name]!.normalize('NFKC').trim().toLowerCase());
  const parts = [selectedIn(session.state)?.id ?? '', ...login];
  const key = fingerprint(deps.hashKeys.current(), 'link sign-ins', session.application.id, parts);
  return [`link sign-ins as ${key.toString('base64url')}`, linkSignInsPerLogin, linkSignInsPerLoginMinutes];
};
