// Finds texts in bytes in any encoding: UTF-8, UTF-16, base64 at any alignment, hex, JSON escapes, percent-encoding, and
// numbers in binary.

/** A text, or bytes, that occur nowhere by chance, and a name for messages. */
export type Canary = { name: string; text: string | Buffer };

const base64Forms = (text: Buffer): string[] =>
  [0, 1, 2].flatMap((shift) => {
    const encoded = Buffer.concat([Buffer.alloc(shift), text]).toString('base64');
    // The characters at both ends contain bits of the neighboring bytes.
    const from = Math.ceil((shift * 8) / 6);
    const to = Math.floor(((shift + text.length) * 8) / 6);
    const inner = encoded.slice(from, to);
    return [inner, inner.replaceAll('+', '-').replaceAll('/', '_')];
  });

const binaryForms = (text: string): Buffer[] => {
  if (!/^-?\d+(\.\d+)?$/.test(text)) return [];
  const forms = [Buffer.alloc(8), Buffer.alloc(8), Buffer.alloc(8), Buffer.alloc(8)] as const;
  forms[0].writeDoubleBE(Number(text));
  forms[1].writeDoubleLE(Number(text));
  const minor = BigInt(text.replace('.', ''));
  forms[2].writeBigInt64BE(minor);
  forms[3].writeBigInt64LE(minor);
  return [...forms];
};

/** All encodings that the scanner looks for. */
export const encodingsOf = (text: string | Buffer): Buffer[] => {
  const bytes = Buffer.from(text as string);
  const hex = bytes.toString('hex');
  const encoded = [...base64Forms(bytes), hex, hex.toUpperCase()].map((one) => Buffer.from(one));
  return typeof text === 'string' ? [...encoded, ...textForms(text)] : [bytes, ...encoded];
};

const textForms = (text: string): Buffer[] => {
  const escaped = JSON.stringify(text).slice(1, -1);
  const texts = [text, escaped, encodeURIComponent(text)];
  const wide = Buffer.from(text, 'utf16le');
  const encoded = [...texts.map((one) => Buffer.from(one)), wide, Buffer.from(wide).swap16()];
  return [...encoded, ...binaryForms(text)];
};

/** The names of the canaries that the bytes contain in any encoding. */
export const findCanaries = (bytes: Uint8Array, canaries: readonly Canary[]): string[] => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return canaries
    .filter(({ text }) => encodingsOf(text).some((encoding) => buffer.includes(encoding)))
    .map(({ name }) => name);
};
