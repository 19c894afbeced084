// A proof is a random text that somebody holds, of which the database keeps a hash: sessions of the dashboard and
// links. Its 256 bits leave nothing to guess, so a fast hash is right.
import { deriveKey, makeSecret } from './keys.ts';

/** A fresh proof: the text to hand out once, and the hash to keep. */
export const createOpaqueToken = (): { text: string; hash: string } => {
  const text = makeSecret().toString('base64url');
  return { text, hash: hashOpaqueToken(text) };
};

/** What is kept of a proof; also a short name for texts that shall not be kept as they are. */
export const hashOpaqueToken = (text: string): string =>
  deriveKey(Buffer.alloc(32), `proof v1\n${text}`).toString('base64url');
