// Signing in at a company's own OpenID provider: authorization code with PKCE, state and nonce. The provider vouches
// for the email; who was not invited by it does not get in.
import * as client from 'openid-client';
import { after, seconds } from '../clock.ts';
import type { OpenIdSettings } from '../config.ts';
import { isLoopback } from '../config.ts';
import type { Queries } from '../db/open.ts';
import { makeId } from '../ids.ts';
import { createOpaqueToken } from '../vault/opaqueToken.ts';
import { recordForMember } from './diary.ts';
import { join } from './invitations.ts';
import { type Member, normalEmail, type Place } from './member.ts';
import { deleteSessions } from './sessionStore.ts';
import { beginSession, type FreshSession } from './sessions.ts';
import { deletePasskeys, insertChallenge, takeChallenge } from './signInStore.ts';
import {
  deleteLink,
  findInvitations,
  findMember,
  findOwnOrganizations,
  insertMember,
  updateMember,
} from './store.ts';
import type { MemberTools } from './tools.ts';

/** Why somebody whom the provider sent back does not get in. */
export class OpenIdRefused extends Error {
  readonly problem: 'not_invited' | 'email_not_verified' | 'failed';
  constructor(problem: OpenIdRefused['problem'], options?: ErrorOptions) {
    super(`OpenID sign-in: ${problem}.`, options);
    this.problem = problem;
  }
}

export type OpenId = {
  /** Where the browser goes, and the text that its cookie must bring back. */
  start(tools: MemberTools): Promise<{ url: string; journey: string }>;
  /** Begins a session for whom the provider sent back to `address`. Throws OpenIdRefused. */
  finish(
    tools: MemberTools,
    back: { address: URL; journey: string | undefined; place: Place },
  ): Promise<FreshSession>;
};

const journeyMinutes = 10;

type Journey = { verifier: string; state: string; nonce: string };
type Identity = { subject: string; email: string; name: string };

/** Sign-in at this provider. It is asked about itself when it is first needed, so that a start does not wait for it. */
export const makeOpenId = (settings: OpenIdSettings): OpenId => {
  let known: Promise<client.Configuration> | undefined;
  const provider = async (): Promise<client.Configuration> => {
    known ??= discover(settings);
    try {
      return await known;
    } catch (cause) {
      known = undefined;
      throw new OpenIdRefused('failed', { cause });
    }
  };
  return {
    start: async (tools) => start(tools, await provider()),
    finish: async (tools, back) => {
      const identity = await identify(tools, await provider(), back);
      const member = await admit(tools, identity, back.place);
      return beginSession(tools, member, { method: 'openid', place: back.place });
    },
  };
};

const discover = ({ issuer, clientId, clientSecret }: OpenIdSettings): Promise<client.Configuration> => {
  const url = new URL(issuer);
  // A provider on this machine may go without TLS; every other must have it.
  const execute = isLoopback(url.hostname) ? [client.allowInsecureRequests] : [];
  return client.discovery(url, clientId, clientSecret, undefined, { execute });
};

const callback = ({ baseUrl }: MemberTools): string => `${baseUrl}/dashboard/openid/callback`;

const start = async (tools: MemberTools, provider: client.Configuration) => {
  const journey: Journey = {
    verifier: client.randomPKCECodeVerifier(),
    state: client.randomState(),
    nonce: client.randomNonce(),
  };
  const now = tools.clock.real();
  const id = createOpaqueToken().text;
  const expiresAt = after(now, seconds(journeyMinutes * 60)).toISOString();
  const value = JSON.stringify(journey);
  await insertChallenge(tools.db.write, { id, kind: 'openid', memberId: null, value, expiresAt }, now);
  const url = client.buildAuthorizationUrl(provider, {
    redirect_uri: callback(tools),
    scope: 'openid email profile',
    code_challenge: await client.calculatePKCECodeChallenge(journey.verifier),
    code_challenge_method: 'S256',
    state: journey.state,
    nonce: journey.nonce,
  });
  return { url: url.href, journey: id };
};

const identify = async (
  { db, clock, baseUrl }: MemberTools,
  provider: client.Configuration,
  back: { address: URL; journey: string | undefined },
): Promise<Identity> => {
  const wanted = { id: back.journey ?? '', kind: 'openid', memberId: null, now: clock.real() } as const;
  const kept = await takeChallenge(db.write, wanted);
  if (!kept) throw new OpenIdRefused('failed');
  const journey: Journey = JSON.parse(kept);
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
      throw new OpenIdRefused('email_not_verified');
    const email = normalEmail(told.email);
    const name = typeof told.name === 'string' && told.name.trim() ? told.name.trim().slice(0, 100) : email;
    return { subject: `${idToken.iss}\n${idToken.sub}`, email, name };
  } catch (cause) {
    throw cause instanceof OpenIdRefused ? cause : new OpenIdRefused('failed', { cause });
  }
};

/** The member whom an identity belongs to: by subject; at the first time, by the verified email. */
const admit = async (tools: MemberTools, identity: Identity, place: Place): Promise<Member> => {
  const now = tools.clock.real();
  return tools.db.transaction(async (trx) => {
    const known = await findMember(trx, { openid_subject: identity.subject });
    const member = known ?? (await link(trx, identity, { now, place }));
    for (const invitation of await findInvitations(trx, { email: member.email }, now.toISOString())) {
      // The provider vouched for this email, which is what the invitation asks for.
      if (member.email !== identity.email) break;
      if (await deleteLink(trx, invitation)) await join(trx, { member, invitation, now, place });
    }
    if ((await findOwnOrganizations(trx, member.id)).length === 0) throw new OpenIdRefused('not_invited');
    return member;
  });
};

const link = async (
  trx: Queries,
  { subject, email, name }: Identity,
  { now, place }: { now: Date; place: Place },
): Promise<Member> => {
  const held = await findMember(trx, { email });
  if (held?.openidSubject) throw new OpenIdRefused('not_invited');
  if (!held) {
    const createdAt = now.toISOString();
    const member = { id: makeId('mem'), email, name, passwordHash: null, openidSubject: subject, createdAt };
    await insertMember(trx, member);
    return member;
  }
  // An account made by a link has an email that nobody has verified so far. Whoever made it may be somebody else, so
  // what opened it until now no longer does.
  await updateMember(trx, held.id, { openid_subject: subject, password_hash: null });
  await deletePasskeys(trx, { memberId: held.id });
  await deleteSessions(trx, { memberId: held.id });
  await recordForMember(trx, { member: held, place, now, action: 'openid_linked' });
  return { ...held, openidSubject: subject, passwordHash: null };
};
