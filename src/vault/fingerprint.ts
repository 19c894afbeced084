// Keyed BLAKE2b fingerprints: the refresh side compares what a bank says with what is stored without being
// able to read the latter. Bound to an account, so that equal entries of two accounts do not look equal.
import sodium from 'sodium-native';

const fingerprintBytes = 16;

/** 16 bytes that stand for these parts, in this scope, for this purpose. The order of the parts counts. */
export const fingerprint = (
  key: Buffer,
  purpose: string,
  scope: string,
  parts: readonly string[],
): Buffer => {
  const hash = Buffer.alloc(fingerprintBytes);
  sodium.crypto_generichash(hash, Buffer.from(JSON.stringify([purpose, scope, ...parts])), key);
  return hash;
};
