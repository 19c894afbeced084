// Keyed BLAKE2b fingerprints. A refresh compares them to match a bank's data with stored data that it cannot read.
// The scope is part of the hash, so equal transactions of two accounts have different fingerprints.
import sodium from 'sodium-native';

const fingerprintBytes = 16;

/** The 16-byte fingerprint of an ordered list of texts, for one purpose and one scope (usually an account id). */
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
