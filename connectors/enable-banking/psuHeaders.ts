// The headers that tell a bank that its user is there. A bank allows only few reads without them.
import type { PresentUser } from '@bank-connection/connector-kit';

/**
 * The headers of an end user who is there, if these are all that their bank requires; otherwise none, because it refuses a part of
 * them. Nothing is made up: a bank that wants the place of the end user, which is not known, gets none.
 */
export const psuHeadersOf = (
  user: PresentUser | undefined,
  required: readonly string[],
): Record<string, string> => {
  if (!user) return {};
  const { ip, userAgent, acceptLanguage } = user;
  const told = { 'psu-ip-address': ip, 'psu-user-agent': userAgent, 'psu-accept-language': acceptLanguage };
  const known = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== ''));
  return required.every((name) => Object.hasOwn(known, name.toLowerCase())) ? known : {};
};
