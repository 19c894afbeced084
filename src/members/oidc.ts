// Signing in at a company's own OpenID provider: authorization code with PKCE, state and nonce. The provider vouches
// for the email; who was not invited by it does not get in.
import * as client from 'openid-client';
import { addMilliseconds, seconds } from '../clock.ts';
import type { OidcSettings } from '../config.ts';
import { isLoopback } from '../config.ts';
import type { Queries } from '../db/open.ts';
import { makeId } from '../ids.ts';
import { createOpaqueToken } from '../vault/opaqueToken.ts';
import type { MemberDeps } from './deps.ts';
import { joinOrganization } from './invitations.ts';
import { type ClientInfo, type Member, normalizeEmail } from './member.ts';
import { recordMemberEvent } from './memberAudit.ts';
import { deleteMemberSessions } from './sessionStore.ts';
import { createMemberSession, type NewMemberSession } from './sessions.ts';
import { consumeSignInChallenge, deletePasskeys, insertSignInChallenge } from './signInStore.ts';
import {
  deleteMemberToken,
  findInvitations,
  findMember,
  findMemberOrganizations,
  insertMember,
  updateMember,
} from './store.ts';

/** Why somebody whom the provider sent back does not get in. */
export class OidcSignInRefused extends Error {
  readonly problem: 'not_invited' | 'email_not_verified' | 'failed';
  constructor(problem: OidcSignInRefused['problem'], options?: ErrorOptions) {
    super(`OpenID sign-in: ${problem}.`, options);
    this.problem = problem;
  }
}

export type OidcClient = {
  /** Where the browser goes, and the text that its cookie must bring back. */
  start(tools: MemberDeps): Promise<{ url: string; journey: string }>;
  /** Begins a session for whom the provider sent back to `address`. Throws OpenIdRefused. */
  finish(
    tools: MemberDeps,
    back: { address: URL; journey: string | undefined; clientInfo: ClientInfo },
  ): Promise<NewMemberSession>;
};

const oidcFlowMinutes = 10;

type OidcFlow = { verifier: string; state: string; nonce: string };
type OidcIdentity = { subject: string; email: string; name: string };

/** Sign-in at this provider. It is asked about itself when it is first needed, so that a start does not wait for it. */
export const makeOidcClient = (settings: OidcSettings): OidcClient => {
  let known: Promise<client.Configuration> | undefined;
  const provider = async (): Promise<client.Configuration> => {
    known ??= discover(settings);
    try {
      return await known;
    } catch (cause) {
      known = undefined;
      throw new OidcSignInRefused('failed', { cause });
    }
  };
  return {
    start: async (tools) => startFlow(tools, await provider()),
    finish: async (tools, back) => {
      const identity = await exchangeCode(tools, await provider(), back);
      const member = await findOrCreateMember(tools, identity, back.clientInfo);
      return createMemberSession(tools, member, { method: 'oidc', clientInfo: back.clientInfo });
    },
  };
};

const discover = ({ issuer, clientId, clientSecret }: OidcSettings): Promise<client.Configuration> => {
  const url = new URL(issuer);
  // A provider on this machine may go without TLS; every other must have it.
  const execute = isLoopback(url.hostname) ? [client.allowInsecureRequests] : [];
  return client.discovery(url, clientId, clientSecret, undefined, { execute });
};

const callbackUrl = ({ baseUrl }: MemberDeps): string => `${baseUrl}/dashboard/oidc/callback`;

const startFlow = async (tools: MemberDeps, provider: client.Configuration) => {
  const journey: OidcFlow = {
    verifier: client.randomPKCECodeVerifier(),
    state: client.randomState(),
    nonce: client.randomNonce(),
  };
  const now = tools.clock.real();
  const id = createOpaqueToken().token;
  const expiresAt = addMilliseconds(now, seconds(oidcFlowMinutes * 60)).toISOString();
  const value = JSON.stringify(journey);
  await insertSignInChallenge(tools.db.write, { id, kind: 'oidc', memberId: null, value, expiresAt }, now);
  const url = client.buildAuthorizationUrl(provider, {
    redirect_uri: callbackUrl(tools),
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(journey.verifier),
    code_challenge_method: 'S256',
    state: journey.state,
    nonce: journey.nonce,
  });
  return { url: url.href, journey: id };
};

const exchangeCode = async (
  { db, clock, baseUrl }: MemberDeps,
  provider: client.Configuration,
  back: { address: URL; journey: string | undefined },
): Promise<OidcIdentity> => {
  const wanted = { id: back.journey ?? '', kind: 'oidc', memberId: null, now: clock.real() } as const;
  const kept = await consumeSignInChallenge(db.write, wanted);
  if (!kept) throw new OidcSignInRefused('failed');
  const journey: OidcFlow = JSON.parse(kept);
  try {
    // As the provider knows it, whatever name a proxy gave this machine.
    const address = new URL(`${back.address.pathname}${back.address.search}`, baseUrl);
    const tokens = await client.authorizationCodeGrant(provider, address, {
      pkceCodeVerifier: journey.verifier,
      expectedState: journey.state,
      expectedNonce: journey.nonce,
      idTokenExpected: true,
    });
    const idToken = tokens.claims()!;
    const told = idToken.email
      ? idToken
      : await client.fetchUserInfo(provider, tokens.access_token, idToken.sub);
    if (typeof told.email !== 'string' || told.email_verified !== true)
      throw new OidcSignInRefused('email_not_verified');
    const email = normalizeEmail(told.email);
    const name = typeof told.name === 'string' && told.name.trim() ? told.name.trim().slice(0, 100) : email;
    return { subject: `${idToken.iss}\n${idToken.sub}`, email, name };
  } catch (cause) {
    throw cause instanceof OidcSignInRefused ? cause : new OidcSignInRefused('failed', { cause });
  }
};

/** The member whom an identity belongs to: by subject; at the first time, by the verified email. */
const findOrCreateMember = async (
  tools: MemberDeps,
  identity: OidcIdentity,
  clientInfo: ClientInfo,
): Promise<Member> => {
  const now = tools.clock.real();
  return tools.db.transaction(async (trx) => {
    const known = await findMember(trx, { oidc_subject: identity.subject });
    const member = known ?? (await linkIdentity(trx, identity, { now, clientInfo }));
    for (const invitation of await findInvitations(trx, { email: member.email }, now.toISOString())) {
      // The provider vouched for this email, which is what the invitation asks for.
      if (member.email !== identity.email) break;
      if (await deleteMemberToken(trx, invitation))
        await joinOrganization(trx, { member, invitation, now, clientInfo });
    }
    if ((await findMemberOrganizations(trx, member.id)).length === 0)
      throw new OidcSignInRefused('not_invited');
    return member;
  });
};

const linkIdentity = async (
  trx: Queries,
  { subject, email, name }: OidcIdentity,
  { now, clientInfo }: { now: Date; clientInfo: ClientInfo },
): Promise<Member> => {
  const held = await findMember(trx, { email });
  if (held?.oidcSubject) throw new OidcSignInRefused('not_invited');
  if (!held) {
    const createdAt = now.toISOString();
    const member = { id: makeId('mem'), email, name, passwordHash: null, oidcSubject: subject, createdAt };
    await insertMember(trx, member);
    return member;
  }
  // An account made by a link has an email that nobody has verified so far. Whoever made it may be somebody else, so
  // what opened it until now no longer does.
  await updateMember(trx, held.id, { oidc_subject: subject, password_hash: null });
  await deletePasskeys(trx, { memberId: held.id });
  await deleteMemberSessions(trx, { memberId: held.id });
  await recordMemberEvent(trx, { member: held, clientInfo, now, action: 'oidc_linked' });
  return { ...held, oidcSubject: subject, passwordHash: null };
};
