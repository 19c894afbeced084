/**
 * The options of every request. The service never redirects, and following a redirect would send the scoped token to another
 * host. Next.js 14 caches responses on disk unless a request has `no-store`, an option that older Cloudflare Workers reject.
 */
export const requestOptions: RequestInit = {
  redirect: 'manual',
  ...('cache' in Request.prototype && { cache: 'no-store' }),
};
