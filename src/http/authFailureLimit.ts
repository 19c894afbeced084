// Limits requests with invalid credentials by client address. Only failures count, and the credentials are checked
// first: a request with valid credentials is never refused because of failures from the same address.
import { isIPv6 } from 'node:net';
import { InvalidScopedToken, InvalidSession, Unauthenticated } from '../errors.ts';
import type { Service } from '../service.ts';
import { makeRateLimit } from './rateLimit.ts';

/** Counts a failed authentication. Throws RateLimited where the address has too many of them. */
export type AuthFailureLimit = (error: unknown, address: string | undefined) => void;

export const makeAuthFailureLimit = (service: Service): AuthFailureLimit => {
  const consume = makeRateLimit(service, {
    name: 'auth failures',
    limit: service.config.limits.authFailuresPerMinute,
  });
  return (error, address = '') => {
    if (isAuthFailure(error)) consume(toAddressKey(address));
  };
};

// A request without credentials guesses nothing, and a valid principal may ask for more than it is allowed.
const isAuthFailure = (error: unknown): boolean =>
  error instanceof Unauthenticated || error instanceof InvalidScopedToken || error instanceof InvalidSession;

/** One client usually has a whole /64 of IPv6 addresses, so these count together. */
export const toAddressKey = (address: string): string => {
  if (!isIPv6(address)) return address;
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  const [head = '', tail = ''] = address.replace(/%.*$/, '').split('::');
  const first = head === '' ? [] : head.split(':');
  const last = tail === '' ? [] : tail.split(':');
  const zeros = address.includes('::') ? 8 - first.length - last.length : 0;
  const groups = [...first, ...Array.from({ length: zeros }, () => '0'), ...last].slice(0, 4);
  return `${groups.map((group) => group.toLowerCase().replace(/^0+(?=.)/, '')).join(':')}::/64`;
};
