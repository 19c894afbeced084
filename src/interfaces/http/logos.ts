// Serves the logos of institutions and applications at the address of their hash. A logo never changes, and a browser
// that shows one as a page runs nothing in it.
import type { RequestHandler } from 'express';
import { type Logo, parseLogo } from '../../../connectors/kit/logo.ts';
import { findLogo as findApplicationLogo } from '../../domain/applications/store.ts';
import { findInstitutionLogo } from '../../domain/institutions/directoryStore.ts';
import type { ServerNeeds } from './needs.ts';

const headers = {
  'Cache-Control': 'public, max-age=31536000, immutable',
  'Content-Security-Policy': 'sandbox',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

/** GET /logos/:hash. An unknown hash is passed on to the next handler. */
export const serveLogo =
  (service: ServerNeeds): RequestHandler<{ hash: string }> =>
  async (request, response, next) => {
    const logo = await findLogo(service, request.params.hash);
    if (!logo) return next();
    response.set({ ...headers, 'Content-Type': logo.mediaType }).send(logo.bytes);
  };

// Bytes from the database, which somebody may have changed, are served only if they are a logo with this hash.
const findLogo = async ({ registry, db }: ServerNeeds, hash: string): Promise<Logo | undefined> => {
  const ofInstitution = registry.findLogo(hash);
  if (ofInstitution || !/^[\w-]{43}$/.test(hash)) return ofInstitution;
  const bytes = (await findApplicationLogo(db.read, hash)) ?? (await findInstitutionLogo(db.read, hash));
  const logo = bytes && parseLogo(bytes);
  return logo?.hash === hash ? logo : undefined;
};
