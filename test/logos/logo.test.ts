// A logo is recognized by its first bytes; incomplete, oversized and mislabeled files are refused.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLogo } from '../../connectors/kit/logo.ts';
import { extendedWebp, jpeg, losslessWebp, lossyWebp, png, pngOfSize } from './files.ts';

const files: [name: string, file: Buffer, mediaType: string][] = [
  ['a PNG', png, 'image/png'],
  ['a JPEG', jpeg, 'image/jpeg'],
  ['a lossy WebP', lossyWebp, 'image/webp'],
  ['a lossless WebP', losslessWebp, 'image/webp'],
  ['an extended WebP', extendedWebp, 'image/webp'],
];

/** The file with different bytes at an offset. */
const patched = (file: Buffer, at: number, ...bytes: number[]): Buffer => {
  const copy = Buffer.from(file);
  copy.set(bytes, at);
  return copy;
};

describe.each(files)('%s', (_name, file, mediaType) => {
  test('is accepted, with its media type and a hash for its address', () => {
    const hash = expect.stringMatching(/^[\w-]{43}$/);
    expect(parseLogo(file)).toEqual({ bytes: file, mediaType, hash });
    expect(parseLogo(new Uint8Array(file))).toEqual(parseLogo(file));
  });

  test('is refused if its end is missing, or something follows it', () => {
    fc.assert(
      fc.property(fc.nat(file.length - 1), (length) => parseLogo(file.subarray(0, length)) === undefined),
    );
    expect(parseLogo(Buffer.concat([file, Buffer.from('<script>')]))).toBeUndefined();
  });

  test('never throws, and its type follows from its first bytes, whatever else is changed', () => {
    const change = fc.tuple(fc.integer({ min: 12, max: file.length - 1 }), fc.integer({ max: 255, min: 0 }));
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 20 }), (changes) => {
        const changed = changes.reduce((before, [at, byte]) => patched(before, at, byte), file);
        return [undefined, mediaType].includes(parseLogo(changed)?.mediaType);
      }),
    );
  });
});

test('other bytes are refused, even those of a page named like an image', () => {
  fc.assert(fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => parseLogo(bytes) === undefined));
  for (const text of [
    '',
    '<svg xmlns="http://www.w3.org/2000/svg"/>',
    '<script>',
    'GIF89a',
    'RIFF',
    '\xff\xd8\xff',
  ])
    expect(parseLogo(Buffer.from(text, 'latin1'))).toBeUndefined();
});

test('a header followed by random bytes is read or refused, and never throws', () => {
  const headers = files.map(([, file]) => file.subarray(0, 20));
  fc.assert(
    fc.property(fc.constantFrom(...headers), fc.uint8Array({ maxLength: 300 }), (header, rest) => {
      const withEnd = [rest, Buffer.concat([rest, Buffer.from([0xff, 0xd9])])];
      for (const bytes of withEnd) parseLogo(Buffer.concat([header, bytes]));
    }),
  );
});

test('each side has 1 to 512 pixels', () => {
  expect(parseLogo(pngOfSize(512, 1))).toBeDefined();
  for (const [width, height] of [
    [513, 8],
    [16, 513],
    [0, 8],
    [16, 0],
    [2 ** 32 - 1, 8],
  ] as const)
    expect(parseLogo(pngOfSize(width, height))).toBeUndefined();
  const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
  expect(parseLogo(patched(jpeg, frame + 7, 2, 0))).toBeDefined();
  expect(parseLogo(patched(jpeg, frame + 7, 2, 1))).toBeUndefined();
  expect(parseLogo(patched(lossyWebp, 26, 1, 2))).toBeUndefined();
  expect(parseLogo(patched(losslessWebp, 22, 0xff))).toBeUndefined();
  expect(parseLogo(patched(extendedWebp, 24, 0, 2))).toBeUndefined();
});

test('a file has at most 100 kB', () => {
  const ofSize = (length: number): Buffer =>
    Buffer.concat([png.subarray(0, -12), Buffer.alloc(length - png.length), png.subarray(-12)]);
  expect(parseLogo(ofSize(100_000))).toBeDefined();
  expect(parseLogo(ofSize(100_001))).toBeUndefined();
});
