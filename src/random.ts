// The only source of random bytes for ids, secrets and tokens: libsodium.
import sodium from 'sodium-native';

/** `size` cryptographically random bytes. */
export const randomBytes = (size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  sodium.randombytes_buf(bytes);
  return bytes;
};
