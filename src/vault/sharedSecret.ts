// The secret of an end user, sealed for an application that reads without a scoped token (src/simplefin). The key is
// derived from a secret that only a setup token or an access URL contains, so that nothing stored opens it.
import { seal, unseal } from './seal.ts';

/** The end user's secret, and the accounts that may be read with it: all, also future ones, if there is no list. */
export type SharedSecret = { secret: Buffer; accountIds?: readonly string[] };

/** `ids` are those of the row. */
export const sealSharedSecret = (
  { secret, accountIds }: SharedSecret,
  key: Buffer,
  ids: readonly string[],
): Buffer =>
  seal(JSON.stringify({ secret: secret.toString('base64url'), accountIds }), key, ['shared secret', ...ids]);

/** What `sealSharedSecret` got. Throws CorruptData if the key, the ids or any bit differs. */
export const unsealSharedSecret = (sealed: Uint8Array, key: Buffer, ids: readonly string[]): SharedSecret => {
  const opened = JSON.parse(unseal(sealed, key, ['shared secret', ...ids]));
  return { ...opened, secret: Buffer.from(opened.secret, 'base64url') };
};
