// Detects a proxy whose X-Forwarded-For is ignored because TRUSTED_PROXIES does not list it: limits by client address count all
// its clients as one.
import type { RequestHandler } from 'express';
import type { ServerNeeds } from './needs.ts';

/** Logs a warning on the first such request, and keeps the address of the proxy for the dashboard. */
export const watchForwarding = ({ config, ignoredProxy, log }: ServerNeeds): RequestHandler => {
  // An empty list means that the operator trusts no proxy.
  const isWatching = config.trustedProxies.length > 0;
  return (request, _response, next) => {
    const { ips, headers, socket } = request;
    if (isWatching && !ignoredProxy.ip && headers['x-forwarded-for'] && ips.length === 0) {
      ignoredProxy.ip = socket.remoteAddress;
      log.warn({ peer: ignoredProxy.ip, setting: 'TRUSTED_PROXIES' }, 'X-Forwarded-For ignored');
    }
    next();
  };
};
