// Decides if the service may connect to an address when the URL comes from an untrusted source, such as a webhook endpoint or a
// connector's server. Without this check, anyone who can enter a URL could make the service send requests into its own network.
import { BlockList, isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** True if the service may connect to an IP address. */
export type IpFilter = (ip: string) => boolean;

/** Allows public addresses, and those in `networks` (addresses or CIDR blocks). */
export const makeIpFilter = (networks: readonly string[]): IpFilter => {
  const allowed = new BlockList();
  for (const network of networks) {
    const [ip, bits] = network.split('/') as [string, string?];
    const family = isIP(ip) === 4 ? 'ipv4' : 'ipv6';
    if (bits === undefined) allowed.addAddress(ip, family);
    else allowed.addSubnet(ip, Number(bits), family);
  }
  return (ip) => allowed.check(ip, isIP(ip) === 4 ? 'ipv4' : 'ipv6') || isPublic(ip);
};

const globalUnicast = ipaddr.parseCIDR('2000::/3');

/** A cloud's host service at a public address (Azure). Only virtual machines can reach it, like 169.254.169.254. */
const cloudHostService = '168.63.129.16';

// The ranges in ipaddr.js miss deprecated IPv6 forms that contain an IPv4 address.
const isPublic = (ip: string): boolean => {
  const parsed = ipaddr.parse(ip);
  if (parsed.range() !== 'unicast' || ip === cloudHostService) return false;
  return parsed.kind() === 'ipv4' || parsed.match(globalUnicast);
};

/** The IP address in a URL, instead of a host name; undefined for a name. */
export const literalIp = ({ hostname }: URL): string | undefined => {
  const text = hostname.replace(/^\[|\]$/g, '');
  return isIP(text) === 0 ? undefined : text;
};

/**
 * True unless the text of the URL shows that its address is forbidden. A name's addresses are checked at each connection, because
 * they may change.
 */
export const isAllowedHost = (url: URL, isAllowed: IpFilter): boolean => {
  if (url.hostname === 'localhost') return isAllowed('127.0.0.1') || isAllowed('::1');
  const ip = literalIp(url);
  return ip === undefined || isAllowed(ip);
};

/** True if a URL points to this machine: `localhost` or a loopback address. */
export const isLoopbackHost = (url: URL): boolean => {
  const ip = literalIp(url);
  if (ip === undefined) return url.hostname === 'localhost';
  return ipaddr.process(ip).range() === 'loopback';
};
