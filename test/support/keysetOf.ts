// A keyset of fixed keys, for tests.
import { keyId } from '../../src/platform/vault/keys.ts';
import { type Keyset, makeKeyset } from '../../src/platform/vault/keyset.ts';

/** The first key is the current one. */
export const keysetOf = <Key>(...keys: [Key, ...Key[]]): Keyset<Key> => {
  const keyset = makeKeyset<Key>();
  keyset.replace(keys.map((key, at) => ({ id: Buffer.isBuffer(key) ? keyId(key) : String(at), key })));
  return keyset;
};
