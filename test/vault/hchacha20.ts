// HChaCha20 (draft-irtf-cfrg-xchacha, section 2.2), so that tests decrypt sealed records independently of libsodium.

const constants = [0x61707865, 0x3320646e, 0x79622d32, 0x6b206574];

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));

const quarterRound = (words: Int32Array, a: number, b: number, c: number, d: number): void => {
  const steps: [number, number, number, number][] = [
    [a, b, d, 16],
    [c, d, b, 12],
    [a, b, d, 8],
    [c, d, b, 7],
  ];
  for (const [to, from, rotated, bits] of steps) {
    words[to] = words[to]! + words[from]!;
    words[rotated] = rotate(words[rotated]! ^ words[to]!, bits);
  }
};

const columns = [
  [0, 4, 8, 12],
  [1, 5, 9, 13],
  [2, 6, 10, 14],
  [3, 7, 11, 15],
] as const;
const diagonals = [
  [0, 5, 10, 15],
  [1, 6, 11, 12],
  [2, 7, 8, 13],
  [3, 4, 9, 14],
] as const;

/** The 32-byte subkey for a 32-byte key and 16 bytes of nonce. */
export const hchacha20 = (key: Buffer, nonce: Buffer): Buffer => {
  const words = new Int32Array(16);
  words.set(constants);
  for (let at = 0; at < 8; at++) words[4 + at] = key.readInt32LE(at * 4);
  for (let at = 0; at < 4; at++) words[12 + at] = nonce.readInt32LE(at * 4);
  for (let round = 0; round < 10; round++) {
    for (const [a, b, c, d] of [...columns, ...diagonals]) quarterRound(words, a, b, c, d);
  }
  const subkey = Buffer.alloc(32);
  for (let at = 0; at < 4; at++) {
    subkey.writeInt32LE(words[at]!, at * 4);
    subkey.writeInt32LE(words[12 + at]!, 16 + at * 4);
  }
  return subkey;
};
