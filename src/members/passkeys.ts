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
import { after, seconds } from '../clock.ts';
import { BadInput, NotFound, NotSignedIn } from '../errors.ts';
import { makeId } from '../ids.ts';
import { createOpaqueToken } from '../vault/opaqueToken.ts';
import { recordForMember } from './diary.ts';
import type { Place } from './member.ts';
import { beginSession, type FreshSession, type SignedIn } from './sessions.ts';
import {
  type Challenge,
  deletePasskeys,
  findPasskey,
  findPasskeys,
  insertChallenge,
  insertPasskey,
  markPasskeyUsed,
  type Passkey,
  takeChallenge,
} from './signInStore.ts';
import { findMember } from './store.ts';
import type { MemberTools } from './tools.ts';
import { noteTryFrom } from './tries.ts';

/** What the browser is to be asked, and the challenge's id to come back with. */
export type Asked = { challengeId: string; options: object };

/** The browser's answer: JSON that the WebAuthn library judges. */
export type Answered = { challengeId: string; response: unknown };

const challengeMinutes = 5;

// EdDSA, ES256 and RS256 (RFC 9053), which is all that authenticators make. Left to itself the library asks Node for
// newer ones by a method that is still an experiment, and Node says so on standard error.
const algorithms = [-8, -7, -257];

const relyingParty = 'Bank Connection Data Service';

const site = ({ baseUrl }: MemberTools) => ({ origin: baseUrl, rpId: new URL(baseUrl).hostname });

const keep = async (
  { db, clock }: MemberTools,
  challenge: Pick<Challenge, 'kind' | 'memberId' | 'value'>,
): Promise<string> => {
  const now = clock.real();
  const id = createOpaqueToken().text;
  const expiresAt = after(now, seconds(challengeMinutes * 60)).toISOString();
  await insertChallenge(db.write, { ...challenge, id, expiresAt }, now);
  return id;
};

/** Begins to add a passkey. */
export const startPasskey = async (tools: MemberTools, { member }: SignedIn): Promise<Asked> => {
  const held = await findPasskeys(tools.db.read, member.id);
  const options = await generateRegistrationOptions({
    rpName: relyingParty,
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
  const challengeId = await keep(tools, { kind: 'new_passkey', memberId: member.id, value });
  return { challengeId, options };
};

/** Adds a passkey. Throws BadInput where the answer does not fit what was asked. */
export const addPasskey = async (
  tools: MemberTools,
  { member }: SignedIn,
  { answered, name, place }: { answered: Answered; name: string; place: Place },
): Promise<Passkey> => {
  const { db, clock } = tools;
  const now = clock.real();
  const wanted = { id: answered.challengeId, kind: 'new_passkey', memberId: member.id, now } as const;
  const challenge = await takeChallenge(db.write, wanted);
  const verified = challenge && (await verifyNew(tools, answered, challenge));
  if (!verified) throw unusable();
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
    if (!(await insertPasskey(trx, passkey))) throw unusable();
    const details = { name: passkey.name };
    await recordForMember(trx, { member, place, now, action: 'passkey_added', subject: passkey.id, details });
  });
  return passkey;
};

const unusable = (): BadInput =>
  new BadInput('invalid_request', [{ path: '/body/response', message: 'does not answer what was asked' }]);

// Whatever the library throws says that the answer is not a good one; why is of no use to who sent it.
const verifyNew = async (tools: MemberTools, { response }: Answered, challenge: string) => {
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
export const startPasskeySignIn = async (tools: MemberTools, place: Place): Promise<Asked> => {
  await noteTryFrom(tools, place.address);
  const options = await generateAuthenticationOptions({
    rpID: site(tools).rpId,
    userVerification: 'required',
  });
  const challengeId = await keep(tools, { kind: 'passkey', memberId: null, value: options.challenge });
  return { challengeId, options };
};

/** Begins a session for whose passkey it is. Throws NotSignedIn for whatever is wrong. */
export const signInWithPasskey = async (
  tools: MemberTools,
  answered: Answered,
  place: Place,
): Promise<FreshSession> => {
  const { db, clock } = tools;
  const now = clock.real();
  const wanted = { id: answered.challengeId, kind: 'passkey', memberId: null, now } as const;
  const challenge = await takeChallenge(db.write, wanted);
  const { id: credentialId } = answered.response as { id?: unknown };
  const passkey = typeof credentialId === 'string' ? await findPasskey(db.read, credentialId) : undefined;
  const member = passkey && (await findMember(db.read, { id: passkey.memberId }));
  if (!challenge || !passkey || !member) throw new NotSignedIn();
  const counter = await verifyUse(tools, { answered, challenge, passkey });
  if (counter === undefined) throw new NotSignedIn();
  if (!(await markPasskeyUsed(db.write, passkey, { counter, now }))) throw new NotSignedIn();
  return beginSession(tools, member, { method: 'passkey', place });
};

const verifyUse = async (
  tools: MemberTools,
  given: { answered: Answered; challenge: string; passkey: Passkey },
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
  { db, clock }: MemberTools,
  { member }: SignedIn,
  { id, place }: { id: string; place: Place },
): Promise<void> => {
  await db.transaction(async (trx) => {
    if ((await deletePasskeys(trx, { memberId: member.id, id })) === 0) throw new NotFound('passkey');
    const now = clock.real();
    await recordForMember(trx, { member, place, now, action: 'passkey_removed', subject: id });
  });
};
