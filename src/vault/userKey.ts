// The stored public key of an end user: the X25519 public key that data keys are sealed to (32 bytes), and a hash of
// the secret (16 bytes) that verifies the secret without a scalar multiplication. Neither can decrypt anything.
import { constantTimeEqual, deriveKey, deriveKeyPair } from './keys.ts';

const boxPublicKeyBytes = 32;
const checkBytes = 16;

const deriveCheck = (secret: Buffer): Buffer => deriveKey(secret, 'token check v1').subarray(0, checkBytes);

/** Derives the 48 bytes that are stored as the end user's public key. */
export const derivePublicKey = (secret: Buffer): Buffer =>
  Buffer.concat([deriveKeyPair(secret).publicKey, deriveCheck(secret)]);

/** The X25519 public key, to which data keys are sealed. */
export const toBoxPublicKey = (publicKey: Buffer): Buffer => publicKey.subarray(0, boxPublicKeyBytes);

/** Whether a stored public key was derived from this secret. */
export const verifySecret = (secret: Buffer, publicKey: Uint8Array): boolean =>
  constantTimeEqual(deriveCheck(secret), publicKey.subarray(boxPublicKeyBytes));
