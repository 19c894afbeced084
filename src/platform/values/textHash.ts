// PostgreSQL's hash of a text (`hashtext`), by which Citus places rows: Bob Jenkins' lookup3, over the UTF-8 bytes.

/** A signed integer of 32 bits. */
export const hashText = (text: string): number => {
  const bytes = Buffer.from(text);
  let [a, b, c] = [start + bytes.length, start + bytes.length, start + bytes.length];
  let at = 0;
  for (; bytes.length - at >= 12; at += 12) {
    a = (a + bytes.readInt32LE(at)) | 0;
    b = (b + bytes.readInt32LE(at + 4)) | 0;
    c = (c + bytes.readInt32LE(at + 8)) | 0;
    a = ((a - c) ^ rotate(c, 4)) | 0;
    c = (c + b) | 0;
    b = ((b - a) ^ rotate(a, 6)) | 0;
    a = (a + c) | 0;
    c = ((c - b) ^ rotate(b, 8)) | 0;
    b = (b + a) | 0;
    a = ((a - c) ^ rotate(c, 16)) | 0;
    c = (c + b) | 0;
    b = ((b - a) ^ rotate(a, 19)) | 0;
    a = (a + c) | 0;
    c = ((c - b) ^ rotate(b, 4)) | 0;
    b = (b + a) | 0;
  }
  // The last 0 to 11 bytes. The lowest byte of the third word is reserved for the length.
  const byte = (index: number): number => bytes[at + index] ?? 0;
  a = (a + (byte(0) | (byte(1) << 8) | (byte(2) << 16) | (byte(3) << 24))) | 0;
  b = (b + (byte(4) | (byte(5) << 8) | (byte(6) << 16) | (byte(7) << 24))) | 0;
  c = (c + ((byte(8) << 8) | (byte(9) << 16) | (byte(10) << 24))) | 0;
  c = ((c ^ b) - rotate(b, 14)) | 0;
  a = ((a ^ c) - rotate(c, 11)) | 0;
  b = ((b ^ a) - rotate(a, 25)) | 0;
  c = ((c ^ b) - rotate(b, 16)) | 0;
  a = ((a ^ c) - rotate(c, 4)) | 0;
  b = ((b ^ a) - rotate(a, 14)) | 0;
  c = ((c ^ b) - rotate(b, 24)) | 0;
  return c;
};

const start = 0x9e3779b9 + 3923095;

const rotate = (value: number, bits: number): number => (value << bits) | (value >>> (32 - bits));
