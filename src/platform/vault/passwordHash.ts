// Hashes the passwords of members with Argon2id (RFC 9106) and OWASP's parameters. Hashing runs on libuv's thread
// pool, two at a time, so that sign-ins block neither the event loop nor file access.
import pLimit from 'p-limit';
import sodium from 'sodium-native';

const memoryBytes = 19 * 1024 * 1024;
const passes = 2;
const concurrency = 2;

// Functions of sodium-native that its types do not declare.
type Argon2 = {
  crypto_pwhash_STRBYTES: number;
  crypto_pwhash_str_async(out: Buffer, password: Buffer, passes: number, memory: number): Promise<void>;
  crypto_pwhash_str_verify_async(hash: Buffer, password: Buffer): Promise<boolean>;
};
const argon2 = sodium as unknown as Argon2;

const limit = pLimit(concurrency);

/** The hash of a password as one string that contains its salt and parameters. */
export const hashPassword = async (password: string): Promise<string> => {
  const out = Buffer.alloc(argon2.crypto_pwhash_STRBYTES);
  await limit(() => argon2.crypto_pwhash_str_async(out, toPasswordBytes(password), passes, memoryBytes));
  return out.toString('latin1').replace(/\0+$/, '');
};

let dummyHash: Promise<string> | undefined;

/** True if a password matches a hash. Without a hash the result is false and takes the same time. */
export const verifyPassword = async (password: string, hash: string | null): Promise<boolean> => {
  dummyHash ??= hashPassword('no member has this password');
  const stored = Buffer.alloc(argon2.crypto_pwhash_STRBYTES);
  stored.write(hash ?? (await dummyHash), 'latin1');
  const matches = await limit(() => argon2.crypto_pwhash_str_verify_async(stored, toPasswordBytes(password)));
  return matches && hash !== null;
};

// NFKC maps strings that look the same to the same bytes (NIST SP 800-63B, 3.1.1.2). Sodium rejects an empty password,
// so a zero byte is appended to every password.
const toPasswordBytes = (password: string): Buffer => Buffer.from(`${password.normalize('NFKC')}\0`);
