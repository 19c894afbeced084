// Buffers that grow while they are filled.

/** The same bytes with room for at least `length`, and for at least twice as many as before. */
export const growBuffer = (bytes: Buffer, length: number): Buffer<ArrayBuffer> =>
  Buffer.concat([bytes], Math.max(length, 2 * bytes.length));
