/**
 * The options of every request. The service never redirects, and following a redirect would send the scoped token to another
 * host. Next.js 14 keeps answers on disk unless a request asks for `no-store`; older Cloudflare Workers refuse the option.
 */
export const requestOptions: RequestInit = {
  redirect: 'manual',
  ...('cache' in Request.prototype && { cache: 'no-store' }),
};
