// Sign-in with OpenID Connect: authorization code flow with PKCE, state and nonce. Only members, and users invited with an
// email that the provider verified, can sign in.
import * as client from 'openid-client';
import type { Queries } from '../../platform/db/open.ts';
import { isLoopback, type OidcSettings } from '../../platform/settings/readers.ts';
import { addMilliseconds, seconds } from '../../platform/values/clock.ts';
import { makeId } from '../../platform/values/ids.ts';
import { createOpaqueToken } from '../../platform/vault/keys.ts';
import { joinOrganization } from './invitations.ts';
import { type ClientInfo, type Member, type MemberDeps, normalizeEmail } from './member.ts';
import { byMember, recordMemberEvent } from './memberAudit.ts';
import * as passkeyStore from './passkeyStore.ts';
import * as sessionStore from './sessionStore.ts';
import { createMemberSession, type NewMemberSession } from './sessions.ts';
import * as signInStore from './signInStore.ts';
import * as store from './store.ts';
import * as tokenStore from './tokenStore.ts';

/** The sign-in failed after the provider's redirect. */
export class OidcSignInRefused extends Error {
  readonly problem: 'not_invited' | 'email_not_verified' | 'failed';
  constructor(problem: OidcSignInRefused['problem'], options?: ErrorOptions) {
    super(`OpenID Connect sign-in refused: ${problem}.`, options);
    this.problem = problem;
  }
}

export type OidcClient = {
  /** Returns the URL to redirect the browser to, and the flow id for its cookie. */
  start(deps: MemberDeps): Promise<{ url: string; flowId: string }>;
  /** Creates a session after the provider's redirect to `url`. Throws OidcSignInRefused. */
  finish(
    deps: MemberDeps,
    redirect: { url: URL; flowId: string | undefined; clientInfo: ClientInfo },
  ): Promise<NewMemberSession>;
};

export const oidcFlowMinutes = 10;

type OidcFlow = { verifier: string; state: string; nonce: string };
type OidcIdentity = { subject: string; email: string; name: string };

/** Sign-in with this provider. Its configuration is fetched on first use. */
export const makeOidcClient = (settings: OidcSettings): OidcClient => {
  let discovery: Promise<client.Configuration> | undefined;
  const provider = async (): Promise<client.Configuration> => {
    discovery ??= discover(settings);
    try {
      return await discovery;
    } catch (cause) {
      discovery = undefined;
      throw new OidcSignInRefused('failed', { cause });
    }
  };
  return {
    start: async (deps) => startFlow(deps, await provider()),
    finish: async (deps, redirect) => {
      const identity = await exchangeCode(deps, await provider(), redirect);
      const member = await findOrCreateMember(deps, identity, redirect.clientInfo);
      return createMemberSession(deps, member, { method: 'oidc', clientInfo: redirect.clientInfo });
    },
  };
};

const discover = ({ issuer, clientId, clientSecret }: OidcSettings): Promise<client.Configuration> => {
  const url = new URL(issuer);
  // Only a provider on this machine may be used without TLS.
  const execute = isLoopback(url.hostname) ? [client.allowInsecureRequests] : [];
  return client.discovery(url, clientId, clientSecret, undefined, { execute });
};

const callbackUrl = ({ baseUrl }: MemberDeps): string => `${baseUrl}/dashboard/oidc/callback`;

const startFlow = async (deps: MemberDeps, provider: client.Configuration) => {
  const flow: OidcFlow = {
    verifier: client.randomPKCECodeVerifier(),
    state: client.randomState(),
    nonce: client.randomNonce(),
  };
  const now = deps.clock.real();
  const id = createOpaqueToken().token;
  const expiresAt = addMilliseconds(now, seconds(oidcFlowMinutes * 60)).toISOString();
  const value = JSON.stringify(flow);
  await signInStore.insertSignInChallenge(
    deps.db.write,
    { id, kind: 'oidc', memberId: null, value, expiresAt },
    now,
  );
  const url = client.buildAuthorizationUrl(provider, {
    redirect_uri: callbackUrl(deps),
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(flow.verifier),
    code_challenge_method: 'S256',
    state: flow.state,
    nonce: flow.nonce,
  });
  return { url: url.href, flowId: id };
};

const exchangeCode = async (
  { db, clock, baseUrl }: MemberDeps,
  provider: client.Configuration,
  redirect: { url: URL; flowId: string | undefined },
): Promise<OidcIdentity> => {
  const query = { id: redirect.flowId ?? '', kind: 'oidc', memberId: null, now: clock.real() } as const;
  const stored = await signInStore.consumeSignInChallenge(db.write, query);
  if (!stored) throw new OidcSignInRefused('failed');
  const flow: OidcFlow = JSON.parse(stored);
  try {
    // Uses the origin that the provider knows, because a proxy may change the request's origin.
    const url = new URL(`${redirect.url.pathname}${redirect.url.search}`, baseUrl);
    const tokens = await client.authorizationCodeGrant(provider, url, {
      pkceCodeVerifier: flow.verifier,
      expectedState: flow.state,
      expectedNonce: flow.nonce,
      idTokenExpected: true,
    });
    const idToken = tokens.claims()!;
    const claims = idToken.email
      ? idToken
      : await client.fetchUserInfo(provider, tokens.access_token, idToken.sub);
    if (typeof claims.email !== 'string' || claims.email_verified !== true)
      throw new OidcSignInRefused('email_not_verified');
    const email = normalizeEmail(claims.email);
    const name =
      typeof claims.name === 'string' && claims.name.trim() ? claims.name.trim().slice(0, 100) : email;
    return { subject: `${idToken.iss}\n${idToken.sub}`, email, name };
  } catch (cause) {
    throw cause instanceof OidcSignInRefused ? cause : new OidcSignInRefused('failed', { cause });
  }
};

/** Finds the member by subject or, at the first sign-in, by verified email, or creates one; accepts the email's invitations. */
const findOrCreateMember = async (
  deps: MemberDeps,
  identity: OidcIdentity,
  clientInfo: ClientInfo,
): Promise<Member> => {
  const now = deps.clock.real();
  return deps.db.transaction(async (trx) => {
    const linked = await store.findMember(trx, { oidcSubject: identity.subject });
    const member = linked ?? (await linkIdentity(trx, identity, { now, clientInfo }));
    const invitations = await tokenStore.findInvitations(trx, { email: member.email }, now.toISOString());
    for (const invitation of invitations) {
      // The provider verified only `identity.email`.
      if (member.email !== identity.email) break;
      if (await tokenStore.deleteMemberToken(trx, invitation))
        await joinOrganization(trx, member, invitation, byMember(member, clientInfo, now));
    }
    if ((await store.findMemberOrganizations(trx, member.id)).length === 0)
      throw new OidcSignInRefused('not_invited');
    return member;
  });
};

const linkIdentity = async (
  trx: Queries,
  { subject, email, name }: OidcIdentity,
  { now, clientInfo }: { now: Date; clientInfo: ClientInfo },
): Promise<Member> => {
  const existing = await store.findMember(trx, { email });
  if (existing?.oidcSubject) throw new OidcSignInRefused('not_invited');
  if (!existing) {
    const createdAt = now.toISOString();
    const member = { id: makeId('mem'), email, name, passwordHash: null, oidcSubject: subject, createdAt };
    await store.insertMember(trx, member);
    return member;
  }
  // The email of an account created by a link was never verified, and somebody else may have created it, so existing passwords,
  // passkeys and sessions are removed.
  await store.updateMember(trx, existing.id, { oidcSubject: subject, passwordHash: null });
  await passkeyStore.deletePasskeys(trx, { memberId: existing.id });
  await sessionStore.deleteMemberSessions(trx, { memberId: existing.id });
  await recordMemberEvent(trx, existing.id, byMember(existing, clientInfo, now), 'oidc_linked');
  return { ...existing, oidcSubject: subject, passwordHash: null };
};
