// Serves the logos of institutions at the address of their hash. A logo never changes, and a browser that shows one as a
// page runs nothing in it.
import type { RequestHandler } from 'express';
import type { Service } from '../service.ts';

const headers = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': 'sandbox',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** GET /logos/:hash. Other hashes leave the handler. */
export const serveLogo =
  ({ registry }: Service): RequestHandler<{ hash: string }> =>
  async (request, response, next) => {
    const logo = registry.findLogo(request.params.hash);
    if (!logo) return next();
    response.set({ ...headers, 'Content-Type': logo.mediaType }).send(logo.bytes);
  };
