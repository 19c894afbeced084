// Passwords of the dashboard's members, as Argon2id (RFC 9106) with OWASP's parameters. Hashing runs on libuv's
// threads, two at a time: sign-ins must hold up neither the event loop nor the threads that read files.
import sodium from 'sodium-native';

const memoryBytes = 19 * 1024 * 1024;
const passes = 2;
const concurrency = 2;

// sodium-native's own functions, which its types do not know.
type Argon2 = {
  crypto_pwhash_STRBYTES: number;
  crypto_pwhash_str_async(out: Buffer, password: Buffer, passes: number, memory: number): Promise<void>;
  crypto_pwhash_str_verify_async(hash: Buffer, password: Buffer): Promise<boolean>;
};
const argon2 = sodium as unknown as Argon2;

const queue: (() => void)[] = [];
let running = 0;

const withSlot = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  if (running >= concurrency) await new Promise<void>((resolve) => queue.push(resolve));
  else running++;
  try {
    return await work();
  } finally {
    const next = queue.shift();
    if (next) next();
    else running--;
  }
};

/** The hash of a password, with its salt and parameters, as one text. */
export const hashPassword = async (password: string): Promise<string> => {
  const out = Buffer.alloc(argon2.crypto_pwhash_STRBYTES);
  await withSlot(() => argon2.crypto_pwhash_str_async(out, toPasswordBytes(password), passes, memoryBytes));
  return out.toString('latin1').replace(/\0+$/, '');
};

let dummyHash: Promise<string> | undefined;

/** Whether a password is the one of a hash. Without a hash it takes as long, and is never. */
export const verifyPassword = async (password: string, hash: string | null): Promise<boolean> => {
  dummyHash ??= hashPassword('nobody has this password');
  const known = Buffer.alloc(argon2.crypto_pwhash_STRBYTES);
  known.write(hash ?? (await dummyHash), 'latin1');
  const matches = await withSlot(() =>
    argon2.crypto_pwhash_str_verify_async(known, toPasswordBytes(password)),
  );
  return matches && hash !== null;
};

// One spelling of what looks the same (NIST SP 800-63B, 3.1.1.2). Sodium takes no empty password; the zero keeps
// an empty one apart from every other.
const toPasswordBytes = (password: string): Buffer => Buffer.from(`${password.normalize('NFKC')}\0`);
