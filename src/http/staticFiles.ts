// Static files and documents, compressed before they are requested. Responses with data are never compressed: senders
// choose descriptions, and the size of a compressed response could tell what stands beside them.
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { RequestHandler } from 'express';
import expressStaticGzip from 'express-static-gzip';

export type StaticOptions = { maxAge: string; immutable?: boolean };

/** Serves the files of a directory; `npm run build` has put a `.br` and a `.gz` file beside those worth compressing. */
export const staticFiles = (directory: string, options: StaticOptions): RequestHandler =>
  expressStaticGzip(directory, {
    enableBrotli: true,
    orderPreference: ['br', 'gz'],
    index: false,
    serveStatic: { index: false, redirect: false, fallthrough: true, ...options },
  }) as RequestHandler;

/** All other requests wait: a tenth larger than at the highest quality, in a fifteenth of the time. */
const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };

/** Serves one text of a media type that does not change while the process runs. */
export const staticDocument = (mediaType: string, text: string): RequestHandler => {
  const bodies = { identity: Buffer.from(text) } as Record<string, Buffer>;
  return (request, response) => {
    const encoding = request.acceptsEncodings('br') || request.acceptsEncodings('gzip') || 'identity';
    bodies[encoding] ??= encoding === 'br' ? brotliCompressSync(text, { params }) : gzipSync(text);
    response.vary('Accept-Encoding').set('Content-Type', `${mediaType}; charset=utf-8`);
    if (encoding !== 'identity') response.set('Content-Encoding', encoding);
    response.send(bodies[encoding]);
  };
};
