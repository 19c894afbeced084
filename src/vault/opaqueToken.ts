// Opaque tokens: 256 random bits of which the database stores only a hash, for example sessions and one-time links of
// the dashboard. They cannot be guessed, so a fast hash is enough.
import { deriveKey, makeSecret } from './keys.ts';

/** A new token, to be handed out once, and the hash to store. Both are base64url. */
export const createOpaqueToken = (): { token: string; hash: string } => {
  const token = makeSecret().toString('base64url');
  return { token, hash: hashOpaqueToken(token) };
};

/** The hash of a token. It also shortens and hides other texts that must not be stored as they are. */
export const hashOpaqueToken = (token: string): string =>
  deriveKey(Buffer.alloc(32), `opaque token v1\n${token}`).toString('base64url');
