// Requests of the service's own pages. Browsers send these headers, and pages cannot change them.
import type { Request } from 'express';

/** Whether the headers that name the sending page, where the client sends any, name a page of `baseUrl`. */
export const isFromOwnOrigin = (baseUrl: string, { headers }: Request): boolean =>
  (headers.origin ?? baseUrl) === baseUrl && (headers['sec-fetch-site'] ?? 'same-origin') === 'same-origin';
