// Joins WebP images into an animation (WebP Container Specification, "Extended File Format"), which browsers cannot write.

/** An animation that repeats forever. All images have the same size; each is shown for `durationMs`. */
export const joinFrames = (images: readonly Buffer[], durationMs: number): Buffer => {
  const frames = images.map(readBitstream);
  const { width, height } = sizeOf(frames[0]!);
  const size = Buffer.concat([uint24(width - 1), uint24(height - 1)]);
  const hasAnimation = 0b10;
  // Neither blended with the previous frame nor disposed of.
  const noBlend = 0b10;
  const chunks = [
    chunk('VP8X', Buffer.concat([Buffer.from([hasAnimation, 0, 0, 0]), size])),
    // A white background, and an endless loop.
    chunk('ANIM', Buffer.from([255, 255, 255, 255, 0, 0])),
    ...frames.map((frame) => {
      const header = [uint24(0), uint24(0), size, uint24(durationMs), Buffer.from([noBlend])];
      return chunk('ANMF', Buffer.concat([...header, chunk('VP8 ', frame)]));
    }),
  ];
  return chunk('RIFF', Buffer.concat([Buffer.from('WEBP'), ...chunks]));
};

/** The data of the "VP8 " chunk of a lossy image without transparency. */
const readBitstream = (image: Buffer): Buffer => {
  for (let at = 12; at < image.length; ) {
    const length = image.readUInt32LE(at + 4);
    if (image.toString('latin1', at, at + 4) === 'VP8 ') return image.subarray(at + 8, at + 8 + length);
    at += 8 + length + (length % 2);
  }
  throw new Error('The image has no "VP8 " chunk.');
};

/** RFC 6386, section 9.1: the size follows the frame tag and the start code. */
const sizeOf = (frame: Buffer) => ({
  width: frame.readUInt16LE(6) & 0x3fff,
  height: frame.readUInt16LE(8) & 0x3fff,
});

const uint24 = (value: number): Buffer => Buffer.from([value, value >> 8, value >> 16]);

const chunk = (name: string, data: Buffer): Buffer => {
  const header = Buffer.alloc(8);
  header.write(name, 'latin1');
  header.writeUInt32LE(data.length, 4);
  return Buffer.concat([header, data, Buffer.alloc(data.length % 2)]);
};
