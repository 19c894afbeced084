// Randomness that guards something comes from libsodium, here and nowhere else.
import sodium from 'sodium-native';

/** `size` unpredictable bytes. */
export const randomBytes = (size: number): Buffer => {
  const bytes = Buffer.alloc(size);
  sodium.randombytes_buf(bytes);
  return bytes;
};
