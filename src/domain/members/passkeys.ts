// Passkeys (WebAuthn). A member registers a passkey while signed in, and then signs in with it alone. The authenticator must
// verify the user, so a passkey is two factors. If an organization requires passkeys, its members' sessions are limited in all
// their organizations, because in another one, they could create a reset link or remove a passkey.
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Queries } from '../../platform/db/open.ts';
import { addMilliseconds, seconds } from '../../platform/values/clock.ts';
import {
  Conflict,
  Forbidden,
  NotFound,
  NotSignedIn,
  PasskeyRequired,
  ValidationError,
} from '../../platform/values/errors.ts';
import { makeId } from '../../platform/values/ids.ts';
import { createOpaqueToken } from '../../platform/vault/keys.ts';
import type { ActorAt, AuditContext } from '../audit/by.ts';
import { audited } from '../audit/store.ts';
import type { ClientInfo, Member, MemberDeps, SignInMethod } from './member.ts';
import { recordMemberEvent } from './memberAudit.ts';
import type { Passkey } from './passkeyStore.ts';
import * as passkeyStore from './passkeyStore.ts';
import * as sessionStore from './sessionStore.ts';
import { type AuthenticatedMember, createMemberSession, type NewMemberSession } from './sessions.ts';
import type { SignInChallenge } from './signInStore.ts';
import * as signInStore from './signInStore.ts';
import * as store from './store.ts';

/** The options for the browser's WebAuthn call, and the id to send back with its response. */
export type PasskeyChallenge = { challengeId: string; options: object };

/** The browser's response: JSON that the WebAuthn library verifies. */
export type PasskeyResponse = { challengeId: string; response: unknown };

// Loaded on first use, because loading it would delay every start by a tenth of a second.
const webAuthn = () => import('@simplewebauthn/server');

const challengeMinutes = 5;

// EdDSA, ES256 and RS256 (RFC 9053): the algorithms that authenticators use. By default, the library also tries newer ones
// through an experimental API, for which Node prints a warning.
const algorithms = [-8, -7, -257];

const relyingPartyName = 'Bank Connection Data Service';

const site = ({ baseUrl }: MemberDeps) => ({ origin: baseUrl, rpId: new URL(baseUrl).hostname });

const storeChallenge = async (
  { db, clock }: MemberDeps,
  challenge: Pick<SignInChallenge, 'kind' | 'memberId' | 'value'>,
): Promise<string> => {
  const now = clock.real();
  const id = createOpaqueToken().token;
  const expiresAt = addMilliseconds(now, seconds(challengeMinutes * 60)).toISOString();
  await signInStore.insertSignInChallenge(db.write, { ...challenge, id, expiresAt }, now);
  return id;
};

/** Starts the registration of a passkey. Throws PasskeyRequired like `finishPasskeyRegistration`. */
export const startPasskeyRegistration = async (
  deps: MemberDeps,
  signedIn: AuthenticatedMember,
): Promise<PasskeyChallenge> => {
  if ((await findRequiredStep(deps.db.read, signedIn)) === 'use_passkey') throw new PasskeyRequired();
  const { member } = signedIn;
  const existing = await passkeyStore.findPasskeys(deps.db.read, member.id);
  const options = await (await webAuthn()).generateRegistrationOptions({
    rpName: relyingPartyName,
    rpID: site(deps).rpId,
    userName: member.email,
    userDisplayName: member.name,
    userID: new TextEncoder().encode(member.id),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: existing.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: JSON.parse(transports),
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const value = options.challenge;
  const challengeId = await storeChallenge(deps, { kind: 'new_passkey', memberId: member.id, value });
  return { challengeId, options };
};

/**
 * Stores a passkey. Throws ValidationError if the response does not match the challenge. Throws PasskeyRequired if the member
 * has a passkey but opened the session without it, because the password alone must not add another.
 */
export const finishPasskeyRegistration = async (
  deps: MemberDeps,
  signedIn: AuthenticatedMember,
  { name, ...passkeyResponse }: PasskeyResponse & { name: string },
  by: ActorAt,
): Promise<Passkey> => {
  const { db } = deps;
  const { member, session } = signedIn;
  const { now } = by;
  const query = { id: passkeyResponse.challengeId, kind: 'new_passkey', memberId: member.id, now } as const;
  const challenge = await signInStore.consumeSignInChallenge(db.write, query);
  const verified = challenge && (await verifyRegistration(deps, passkeyResponse, challenge));
  if (!verified) throw invalidPasskeyResponse();
  const { credential } = verified;
  const passkey: Passkey = {
    id: makeId('psk'),
    memberId: member.id,
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: JSON.stringify(credential.transports ?? []),
    name: name.trim(),
    createdAt: now.toISOString(),
    lastUsedAt: null,
  };
  await db.transaction(async (trx) => {
    if (!(await store.lockUnchangedMember(trx, member))) throw new NotSignedIn();
    const step = await findRequiredStep(trx, signedIn);
    if (step === 'use_passkey') throw new PasskeyRequired();
    if (step) await sessionStore.updateSessionMethod(trx, session.id, 'passkey');
    if (!(await passkeyStore.insertPasskey(trx, passkey))) throw invalidPasskeyResponse();
    const about = { subject: passkey.id, details: { name: passkey.name } };
    await recordMemberEvent(trx, member.id, by, 'passkey_added', about);
  });
  return passkey;
};

const invalidPasskeyResponse = (): ValidationError =>
  new ValidationError('invalid_request', [
    { path: '/body/response', message: 'does not match the challenge' },
  ]);

// Every error from the library means that the response is invalid. The sender does not get the reason.
const verifyRegistration = async (deps: MemberDeps, { response }: PasskeyResponse, challenge: string) => {
  const { origin, rpId } = site(deps);
  const verified = await (await webAuthn())
    .verifyRegistrationResponse({
      response: response as RegistrationResponseJSON,
      expectedChallenge: challenge,
      supportedAlgorithmIDs: algorithms,
      expectedOrigin: origin,
      expectedRPID: rpId,
    })
    .catch(() => undefined);
  return verified?.verified ? verified.registrationInfo : undefined;
};

/** Starts a sign-in with a passkey; the browser offers its passkeys for this site. */
export const startPasskeySignIn = async (deps: MemberDeps): Promise<PasskeyChallenge> => {
  const options = await (await webAuthn()).generateAuthenticationOptions({
    rpID: site(deps).rpId,
    userVerification: 'required',
  });
  const value = options.challenge;
  const challengeId = await storeChallenge(deps, { kind: 'passkey', memberId: null, value });
  return { challengeId, options };
};

/** Creates a session for the owner of the passkey. Throws NotSignedIn. */
export const signInWithPasskey = async (
  deps: MemberDeps,
  passkeyResponse: PasskeyResponse,
  clientInfo: ClientInfo,
): Promise<NewMemberSession> => {
  const member = await authenticatePasskey(deps, passkeyResponse);
  return createMemberSession(deps, member, { method: 'passkey', clientInfo });
};

/** The owner of the passkey that answered a challenge of `startPasskeySignIn`. Throws NotSignedIn. */
export const authenticatePasskey = async (
  deps: MemberDeps,
  passkeyResponse: PasskeyResponse,
): Promise<Member> => {
  const { db, clock } = deps;
  const now = clock.real();
  const query = { id: passkeyResponse.challengeId, kind: 'passkey', memberId: null, now } as const;
  const challenge = await signInStore.consumeSignInChallenge(db.write, query);
  const { id: credentialId } = passkeyResponse.response as { id?: unknown };
  const passkey =
    typeof credentialId === 'string' ? await passkeyStore.findPasskey(db.read, credentialId) : undefined;
  const member = passkey && (await store.findMember(db.read, { id: passkey.memberId }));
  if (!challenge || !passkey || !member) throw new NotSignedIn();
  const counter = await verifyAssertion(deps, { passkeyResponse, challenge, passkey });
  if (counter === undefined) throw new NotSignedIn();
  if (!(await passkeyStore.markPasskeyUsed(db.write, passkey, { counter, now }))) throw new NotSignedIn();
  return member;
};

const verifyAssertion = async (
  deps: MemberDeps,
  assertion: { passkeyResponse: PasskeyResponse; challenge: string; passkey: Passkey },
): Promise<number | undefined> => {
  const { origin, rpId } = site(deps);
  const { passkey } = assertion;
  const verified = await (await webAuthn())
    .verifyAuthenticationResponse({
      response: assertion.passkeyResponse.response as AuthenticationResponseJSON,
      expectedChallenge: assertion.challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.counter,
        transports: JSON.parse(passkey.transports),
      },
    })
    .catch(() => undefined);
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined;
};

/** Removes one of the member's passkeys. Throws NotFound, and Conflict for the last one while a passkey is required. */
export const removePasskey = async (
  { db }: MemberDeps,
  { member }: AuthenticatedMember,
  id: string,
  by: ActorAt,
): Promise<void> => {
  await db.transaction(async (trx) => {
    if (!(await store.lockUnchangedMember(trx, member))) throw new NotSignedIn();
    if ((await passkeyStore.deletePasskeys(trx, { memberId: member.id, id })) === 0)
      throw new NotFound('passkey');
    const isLast = (await passkeyStore.findPasskeys(trx, member.id)).length === 0;
    if (isLast && (await passkeyStore.isPasskeyRequired(trx, member.id)))
      throw new Conflict('Your organization requires a passkey: add another one before you remove this one.');
    await recordMemberEvent(trx, member.id, by, 'passkey_removed', { subject: id });
  });
};

/** The step that a member must take first: add a first passkey, or sign in with one. */
export type PasskeyStep = 'add_passkey' | 'use_passkey';

/** True if a session opened by this method has all rights. With OpenID, the provider decides how members sign in. */
export const isSufficient = (method: SignInMethod): boolean => method === 'passkey' || method === 'oidc';

/** The step that this session still needs; undefined if it has all rights. */
export const findRequiredStep = async (
  db: Queries,
  { session, member }: AuthenticatedMember,
): Promise<PasskeyStep | undefined> => {
  if (isSufficient(session.method) || !(await passkeyStore.isPasskeyRequired(db, member.id)))
    return undefined;
  return (await passkeyStore.findPasskeys(db, member.id)).length === 0 ? 'add_passkey' : 'use_passkey';
};

/** Throws PasskeyRequired if the session lacks a passkey. */
export const requirePasskey = async (
  db: Queries,
  { session, member }: AuthenticatedMember,
): Promise<void> => {
  if (!isSufficient(session.method) && (await passkeyStore.isPasskeyRequired(db, member.id)))
    throw new PasskeyRequired();
};

/**
 * Requires passkeys of members, or stops requiring them. Throws Forbidden unless the member confirms with their own passkey, so
 * that the owner has a working one and nobody else can change this in a session left open.
 */
export const changePasskeyRequirement = async (
  deps: MemberDeps,
  signedIn: AuthenticatedMember,
  { isRequired, confirmation }: { isRequired: boolean; confirmation: PasskeyResponse },
  by: AuditContext,
): Promise<void> => {
  await confirmByPasskey(deps, signedIn, confirmation);
  await audited(deps.db, by, async (trx) => {
    // Otherwise the owner's own session would be limited.
    if (!isSufficient(signedIn.session.method))
      await sessionStore.updateSessionMethod(trx, signedIn.session.id, 'passkey');
    const requiredAt = isRequired ? by.now.toISOString() : null;
    if (!(await passkeyStore.updatePasskeysRequiredAt(trx, by.organizationId, requiredAt))) return undefined;
    const details = isRequired ? { before: 'no', after: 'yes' } : { before: 'yes', after: 'no' };
    return { action: 'passkey_requirement_changed', details };
  });
};

const confirmByPasskey = async (
  deps: MemberDeps,
  { member }: AuthenticatedMember,
  confirmation: PasskeyResponse,
): Promise<void> => {
  try {
    const owner = await authenticatePasskey(deps, confirmation);
    if (owner.id !== member.id) throw new Forbidden();
  } catch (error) {
    throw error instanceof NotSignedIn ? new Forbidden() : error;
  }
};
