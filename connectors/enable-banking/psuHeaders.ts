// Headers that show the bank that its user is present. Without them, a bank allows only a few reads.
import type { PresentUser } from '@bank-connection/connector-kit';

/**
 * The headers for a present end user if they include all headers that the bank requires; otherwise none, because the bank refuses
 * incomplete ones. No value is invented: a bank that requires the user's location, which is unknown, gets no headers.
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
