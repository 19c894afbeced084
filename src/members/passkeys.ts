// Passkeys (WebAuthn). A member adds one while signed in, and then signs in with it alone: the authenticator asks for
// a finger, a face or a PIN, so a passkey is two factors by itself.
import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { addMilliseconds, seconds } from '../clock.ts';
import { NotFound, NotSignedIn, ValidationError } from '../errors.ts';
import { makeId } from '../ids.ts';
import { createOpaqueToken } from '../vault/opaqueToken.ts';
import type { MemberDeps } from './deps.ts';
import type { ClientInfo } from './member.ts';
import { recordMemberEvent } from './memberAudit.ts';
import { type AuthenticatedMember, createMemberSession, type NewMemberSession } from './sessions.ts';
import { recordAddressAttempt } from './signInAttempts.ts';
import {
  consumeSignInChallenge,
  deletePasskeys,
  findPasskey,
  findPasskeys,
  insertPasskey,
  insertSignInChallenge,
  markPasskeyUsed,
  type Passkey,
  type SignInChallenge,
} from './signInStore.ts';
import { findMember } from './store.ts';

/** What the browser is to be asked, and the challenge's id to come back with. */
export type PasskeyChallenge = { challengeId: string; options: object };

/** The browser's answer: JSON that the WebAuthn library judges. */
export type PasskeyResponse = { challengeId: string; response: unknown };

const challengeMinutes = 5;

// EdDSA, ES256 and RS256 (RFC 9053), which is all that authenticators make. Left to itself the library asks Node for
// newer ones by a method that is still an experiment, and Node says so on standard error.
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
  await insertSignInChallenge(db.write, { ...challenge, id, expiresAt }, now);
  return id;
};

/** Begins to add a passkey. */
export const startPasskeyRegistration = async (
  tools: MemberDeps,
  { member }: AuthenticatedMember,
): Promise<PasskeyChallenge> => {
  const held = await findPasskeys(tools.db.read, member.id);
  const options = await generateRegistrationOptions({
    rpName: relyingPartyName,
    rpID: site(tools).rpId,
    userName: member.email,
    userDisplayName: member.name,
    userID: new TextEncoder().encode(member.id),
    attestationType: 'none',
    supportedAlgorithmIDs: algorithms,
    excludeCredentials: held.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports: JSON.parse(transports),
    })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const value = options.challenge;
  const challengeId = await storeChallenge(tools, { kind: 'new_passkey', memberId: member.id, value });
  return { challengeId, options };
};

/** Adds a passkey. Throws ValidationError where the answer does not fit what was asked. */
export const finishPasskeyRegistration = async (
  tools: MemberDeps,
  { member }: AuthenticatedMember,
  { answered, name, clientInfo }: { answered: PasskeyResponse; name: string; clientInfo: ClientInfo },
): Promise<Passkey> => {
  const { db, clock } = tools;
  const now = clock.real();
  const wanted = { id: answered.challengeId, kind: 'new_passkey', memberId: member.id, now } as const;
  const challenge = await consumeSignInChallenge(db.write, wanted);
  const verified = challenge && (await verifyRegistration(tools, answered, challenge));
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
    if (!(await insertPasskey(trx, passkey))) throw invalidPasskeyResponse();
    const details = { name: passkey.name };
    await recordMemberEvent(trx, {
      member,
      clientInfo,
      now,
      action: 'passkey_added',
      subject: passkey.id,
      details,
    });
  });
  return passkey;
};

const invalidPasskeyResponse = (): ValidationError =>
  new ValidationError('invalid_request', [
    { path: '/body/response', message: 'does not answer what was asked' },
  ]);

// Whatever the library throws says that the answer is not a good one; why is of no use to who sent it.
const verifyRegistration = async (tools: MemberDeps, { response }: PasskeyResponse, challenge: string) => {
  const { origin, rpId } = site(tools);
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge: challenge,
    supportedAlgorithmIDs: algorithms,
    expectedOrigin: origin,
    expectedRPID: rpId,
  }).catch(() => undefined);
  return verified?.verified ? verified.registrationInfo : undefined;
};

/** Begins to sign in with a passkey; the browser shows those that it has for this site. */
export const startPasskeySignIn = async (
  tools: MemberDeps,
  clientInfo: ClientInfo,
): Promise<PasskeyChallenge> => {
  await recordAddressAttempt(tools, clientInfo.address);
  const options = await generateAuthenticationOptions({
    rpID: site(tools).rpId,
    userVerification: 'required',
  });
  const challengeId = await storeChallenge(tools, {
    kind: 'passkey',
    memberId: null,
    value: options.challenge,
  });
  return { challengeId, options };
};

/** Begins a session for whose passkey it is. Throws NotSignedIn for whatever is wrong. */
export const signInWithPasskey = async (
  tools: MemberDeps,
  answered: PasskeyResponse,
  clientInfo: ClientInfo,
): Promise<NewMemberSession> => {
  const { db, clock } = tools;
  const now = clock.real();
  const wanted = { id: answered.challengeId, kind: 'passkey', memberId: null, now } as const;
  const challenge = await consumeSignInChallenge(db.write, wanted);
  const { id: credentialId } = answered.response as { id?: unknown };
  const passkey = typeof credentialId === 'string' ? await findPasskey(db.read, credentialId) : undefined;
  const member = passkey && (await findMember(db.read, { id: passkey.memberId }));
  if (!challenge || !passkey || !member) throw new NotSignedIn();
  const counter = await verifyAssertion(tools, { answered, challenge, passkey });
  if (counter === undefined) throw new NotSignedIn();
  if (!(await markPasskeyUsed(db.write, passkey, { counter, now }))) throw new NotSignedIn();
  return createMemberSession(tools, member, { method: 'passkey', clientInfo });
};

const verifyAssertion = async (
  tools: MemberDeps,
  given: { answered: PasskeyResponse; challenge: string; passkey: Passkey },
): Promise<number | undefined> => {
  const { origin, rpId } = site(tools);
  const { passkey } = given;
  const verified = await verifyAuthenticationResponse({
    response: given.answered.response as AuthenticationResponseJSON,
    expectedChallenge: given.challenge,
    expectedOrigin: origin,
    expectedRPID: rpId,
    credential: {
      id: passkey.credentialId,
      publicKey: new Uint8Array(passkey.publicKey),
      counter: passkey.counter,
      transports: JSON.parse(passkey.transports),
    },
  }).catch(() => undefined);
  return verified?.verified ? verified.authenticationInfo.newCounter : undefined;
};

/** Removes one of the member's passkeys. Throws NotFound. */
export const removePasskey = async (
  { db, clock }: MemberDeps,
  { member }: AuthenticatedMember,
  { id, clientInfo }: { id: string; clientInfo: ClientInfo },
): Promise<void> => {
  await db.transaction(async (trx) => {
    if ((await deletePasskeys(trx, { memberId: member.id, id })) === 0) throw new NotFound('passkey');
    const now = clock.real();
    await recordMemberEvent(trx, { member, clientInfo, now, action: 'passkey_removed', subject: id });
  });
};
