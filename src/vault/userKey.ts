// What is stored of an end user's key: the X25519 public key that data keys are sealed to (32 bytes), and a
// check (16 bytes) by which the secret is recognised without a scalar multiplication. Neither opens anything.
import { deriveKey, deriveKeyPair, constantTimeEqual } from './keys.ts';

const publicKeyBytes = 32;
const checkBytes = 16;

const deriveCheck = (secret: Buffer): Buffer => deriveKey(secret, 'token check v1').subarray(0, checkBytes);

/** The public half that follows from a secret. */
export const derivePublicKey = (secret: Buffer): Buffer =>
  Buffer.concat([deriveKeyPair(secret).publicKey, deriveCheck(secret)]);

/** The key that data keys are sealed to. */
export const toBoxPublicKey = (publicHalf: Buffer): Buffer => publicHalf.subarray(0, publicKeyBytes);

/** Whether a public half was made from this secret. */
export const verifySecret = (secret: Buffer, publicHalf: Uint8Array): boolean =>
  constantTimeEqual(deriveCheck(secret), publicHalf.subarray(publicKeyBytes));
