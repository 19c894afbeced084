// Logos of institutions and applications: the accepted files, and the hash in their path. Only a file's headers are parsed;
// browsers decode the rest, sandboxed.
import { createHash } from 'node:crypto';

type MediaType = 'image/png' | 'image/jpeg' | 'image/webp';

export type Logo = { bytes: Buffer; mediaType: MediaType; hash: string };

export const logoBytesMax = 100_000;
const pixelsMax = 512;

/** The files that `parseLogo` accepts, to follow "must be". */
export const logoRule = `a PNG, JPEG or WebP file of at most ${logoBytesMax / 1000} kB and ${pixelsMax} by ${pixelsMax} pixels`;

/** The logo in a file; undefined if the file is incomplete or violates `logoRule`. Copies the bytes. */
export const parseLogo = (file: Uint8Array): Logo | undefined => {
  if (file.length > logoBytesMax) return undefined;
  const bytes = Buffer.from(file);
  const image = readPng(bytes) ?? readJpeg(bytes) ?? readWebp(bytes);
  if (!image) return undefined;
  const { mediaType, width, height } = image;
  if (Math.min(width, height) < 1 || Math.max(width, height) > pixelsMax) return undefined;
  return { bytes, mediaType, hash: createHash('sha256').update(bytes).digest('base64url') };
};

/** The path at which the service serves a logo. */
export const logoPath = (hash: string): string => `/logos/${hash}`;

type Image = { mediaType: MediaType; width: number; height: number };

const startsWith = (bytes: Buffer, text: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + text.length) === text;

// The signature, the chunk IHDR, and the chunk IEND at the end (PNG, third edition, section 5).
const readPng = (bytes: Buffer): Image | undefined => {
  if (bytes.length < 45 || !startsWith(bytes, '\x89PNG\r\n\x1a\n\0\0\0\rIHDR')) return undefined;
  if (!startsWith(bytes, '\0\0\0\0IEND\xaeB`\x82', bytes.length - 12)) return undefined;
  return { mediaType: 'image/png', width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
};

// Segments with a marker, a length and data, up to the first frame header SOF; EOI at the end (ITU T.81, annex B).
const readJpeg = (bytes: Buffer): Image | undefined => {
  if (!startsWith(bytes, '\xff\xd8\xff') || !startsWith(bytes, '\xff\xd9', bytes.length - 2))
    return undefined;
  for (let at = 2; at + 9 <= bytes.length; ) {
    const marker = bytes[at + 1]!;
    if (bytes[at] !== 0xff || (marker !== 0xff && marker < 0xc0)) return undefined;
    const isFrame = marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return {
        mediaType: 'image/jpeg',
        width: bytes.readUInt16BE(at + 7),
        height: bytes.readUInt16BE(at + 5),
      };
    // The next marker may be preceded by fill bytes.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
};

// RIFF with the file's size, and the first chunk: lossy, lossless or extended (RFC 9649, section 2).
const readWebp = (bytes: Buffer): Image | undefined => {
  if (bytes.length < 30 || !startsWith(bytes, 'RIFF') || !startsWith(bytes, 'WEBPVP8', 8)) return undefined;
  if (bytes.readUInt32LE(4) + 8 !== bytes.length) return undefined;
  const size = webpSize(bytes);
  return size && { mediaType: 'image/webp', width: size[0], height: size[1] };
};

const webpSize = (bytes: Buffer): [width: number, height: number] | undefined => {
  if (startsWith(bytes, 'VP8 ', 12) && startsWith(bytes, '\x9d\x01\x2a', 23))
    return [bytes.readUInt16LE(26) & 0x3fff, bytes.readUInt16LE(28) & 0x3fff];
  if (startsWith(bytes, 'VP8L', 12) && bytes[20] === 0x2f) {
    const bits = bytes.readUInt32LE(21);
    return [(bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1];
  }
  if (startsWith(bytes, 'VP8X', 12)) return [bytes.readUIntLE(24, 3) + 1, bytes.readUIntLE(27, 3) + 1];
  return undefined;
};
